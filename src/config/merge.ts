import type { SourceLayer } from './layers.ts';
import { mergeTools, union } from './rules.ts';
import { NAMES, type Layer } from './schema.ts';
import type { Merged, Name, Origins, Settings } from './settings.ts';

/** Puts a stronger layer over a configuration: its keys win, `keep_patterns` add up, `tools` are merged by name and key. */
export function overlay(weaker: Merged, layer: SourceLayer): Merged {
  const settings: Required<Layer> = { ...weaker.settings };
  const origins: { -readonly [N in Name]?: Origins[N] } = { ...weaker.origins };
  for (const name of NAMES) {
    if (!take(settings, name, layer.values[name])) continue;
    const others = name === 'keepPatterns' || name === 'tools' ? (weaker.origins[name] ?? []) : [];
    origins[name] = [layer.placeOf(name), ...others];
  }
  settings.keepPatterns = union(settings.keepPatterns, weaker.settings.keepPatterns);
  settings.tools = mergeTools(settings.tools, weaker.settings.tools);
  return { settings, origins, problems: [...layer.problems, ...weaker.problems] };
}

function take<N extends Name>(settings: Required<Layer>, name: N, value: Settings[N] | undefined): boolean {
  if (value === undefined) return false;
  settings[name] = value;
  return true;
}
