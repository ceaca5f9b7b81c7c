/** Credentials that are known by their form, as the source of a regular expression; put it where no word goes on. */
export const KNOWN_TOKENS = [
  'A(?:KIA|SIA|GPA|IDA|ROA|IPA|NPA|NVA|BIA|CCA)[A-Z0-9]{8,}', // AWS
  'AIza[\\w-]{20,}|ya29\\.[\\w.-]+|GOCSPX-[\\w-]+|1//0[\\w-]{20,}', // Google
  'gh[pousr]_\\w{10,}|github_pat_\\w{10,}',
  'gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[\\w-]{10,}|GR1348941[\\w-]{10,}', // GitLab
  'xox[a-z]{1,2}-[\\w-]{8,}|xapp-[\\w-]{8,}', // Slack
  '(?:sk|rk|pk|whsec|rsk)_(?:live_|test_)?\\w{10,}|sk-[\\w-]{16,}', // Stripe, OpenAI, Anthropic
  'npm_\\w{16,}|pypi-[\\w-]{16,}|rubygems_\\w{16,}|dckr_pat_[\\w-]{16,}|oy2[a-z0-9]{40,}',
  'hv[sbr]\\.[\\w-]{16,}|s\\.[A-Za-z0-9]{24,}', // Vault
  'dop_v1_\\w{16,}|hf_\\w{16,}|SG\\.[\\w-]{10,}(?:\\.[\\w-]+)?|shp(?:at|ca|pa|ss)_\\w{16,}|glsa_\\w{16,}',
  'dapi[0-9a-f]{24,}|PMAK-[\\w-]{16,}|NRAK-\\w{16,}|tskey-[\\w-]{10,}|sq0[a-z]{3}-[\\w-]{16,}|LTAI\\w{12,}',
  'EAA[A-Za-z0-9]{24,}|AC[0-9a-f]{30,}|SK[0-9a-f]{30,}|key-[0-9a-f]{24,}|AGE-SECRET-KEY-\\w+|figd_[\\w-]{16,}',
  'eyJ[\\w-]{6,}(?:\\.[\\w-]*){0,2}', // JSON web tokens
  'ssh-(?:rsa|ed25519|dss)\\s+\\S+|ecdsa-sha2-\\S+\\s+\\S+',
].join('|');
