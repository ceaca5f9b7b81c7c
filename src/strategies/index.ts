import type { Outliner } from '../core/compress.ts';
import { logOutline, shapeLines } from './log.ts';

export const outlineSection: Outliner = (index, section) =>
  logOutline(index, section.from, section.to, shapeLines(index, section.from, section.to), 'lines');
