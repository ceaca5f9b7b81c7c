// The kernel: byte loops that JavaScript runs slowly in the cold. src/core/kernel.ts calls it.
import { initChars } from './chars';
import { giveBack, popTo, settle, topNow } from './memory';
import { initScan } from './scan-marks';
import { initUnits } from './units';

export { alloc, reserve } from './memory';
export { shaBlocks, shaEnd, shaStart } from './sha256';
export { tokens, useFilter } from './tokens';
export { indexChunk, indexLines, indexStart } from './index';
export { addNumber, addRun, addWord, fieldCount, fieldList, finishField, newField } from './fields';
export {
  crowd,
  crowdedBody,
  crowdedEnd,
  crowdedStart,
  emptyLine,
  isCrowded,
  scanChunk,
  scanLines,
  scanStart,
} from './scan';
export { coarseCount, shapeCount, shapesAt } from './shapes';
export { formAt, isQuiet, nextForm, suspect, suspicion, useForms, useVerdict } from './failures';
export { hashBytes, hashMasked } from './hash';
export { cells, cutRow, inkRow, inkStart, readCells, rowsStart, ruleWords, wordsAt } from './rows';
export { cutRecord, recordCells, recordFilled, recordSpaced, recordsStart } from './records';
export { jsonEnd, jsonEndOn, recordBytes, recordLines } from './json-end';
export { literalChunk, literalLines, useLiterals } from './literals';
export { columnAt, gridRow, newGrid, templatesOf } from './grid';
export { poolFields, poolRows, poolStart } from './pool-rows';
export { poolVerdict } from './pool-verdicts';
export { newPools } from './pools';
export { needlesIn } from './needles';
export { longStrings, newTape } from './tape';
export { readTape } from './tape-read';
export { newPaths } from './paths';
export { findUnits } from './tree';
export { newRules } from './tree-values';
export { flushTwins } from './twins';
export { bytesUntil, flushValues } from './values';
export { giveBack, popTo, settle, topNow };

initChars();
initUnits();
initScan();
