/** Keep patterns that fit what a folder holds. */

/** What a look at a folder found: the paths of its files, relative, with `/`, and the beginnings of its YAML files. */
export interface Findings {
  readonly paths: readonly string[];
  readonly yaml: ReadonlyArray<{ readonly path: string; readonly head: string }>;
}

export interface Offer {
  readonly pattern: string;
  /** Why it is offered: `Kubernetes manifests (deploy/api.yaml)`. */
  readonly because: string;
}

interface Kind {
  readonly name: string;
  readonly finds: (findings: Findings) => string | undefined;
  readonly patterns: readonly string[];
}

const KINDS: readonly Kind[] = [
  {
    name: 'Kubernetes manifests',
    finds: ({ yaml }) => yaml.find(({ head }) => /^apiVersion: /m.test(head) && /^kind: /m.test(head))?.path,
    patterns: ['/\\b(?:OOMKilled|Evicted|FailedScheduling|FailedMount)\\b/', 'BackoffLimitExceeded'],
  },
  {
    name: 'GitHub Actions',
    finds: byPath(/^\.github\/workflows\/.+\.ya?ml$/),
    patterns: ['/##\\[(?:error|warning)\\]|::(?:error|warning)/'],
  },
  { name: 'GitLab CI', finds: byPath(/^\.gitlab-ci\.ya?ml$/), patterns: ['ERROR: Job failed'] },
  {
    name: 'Terraform',
    finds: byPath(/\.tf$/),
    patterns: ['will be destroyed', 'must be replaced'],
  },
  {
    name: 'Ansible',
    finds: byPath(/(?:^|\/)(?:ansible\.cfg|playbook[^/]*\.ya?ml)$/),
    patterns: ['/^(?:fatal|failed): \\[/m'],
  },
  { name: 'npm', finds: byPath(/^package\.json$/), patterns: ['/\\bnpm (?:ERR!|error)/'] },
  { name: 'Cargo', finds: byPath(/^Cargo\.toml$/), patterns: ['/^error(?:\\[E\\d+\\])?:/m'] },
  { name: 'Go', finds: byPath(/^go\.mod$/), patterns: ['/^(?:--- FAIL|panic):/m'] },
  { name: 'Python', finds: byPath(/^(?:pyproject\.toml|setup\.py)$/), patterns: ['/^E {3}/m'] },
  { name: 'Maven', finds: byPath(/^pom\.xml$/), patterns: ['BUILD FAILURE'] },
  { name: 'Gradle', finds: byPath(/^build\.gradle(?:\.kts)?$/), patterns: ['BUILD FAILED'] },
  {
    name: 'a Dockerfile',
    finds: byPath(/(?:^|\/)Dockerfile(?:\.[^/]+)?$/),
    patterns: ['failed to solve'],
  },
];

function byPath(pattern: RegExp): Kind['finds'] {
  return ({ paths }) => paths.find((path) => pattern.test(path));
}

/** Patterns worth offering, in a fixed order, each with what it was offered for. */
export function offersFor(findings: Findings): Offer[] {
  return KINDS.flatMap(({ name, finds, patterns }) => {
    const path = finds(findings);
    return path === undefined ? [] : patterns.map((pattern) => ({ pattern, because: `${name} (${path})` }));
  });
}
