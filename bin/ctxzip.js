#!/usr/bin/env node
// oxlint-disable-next-line import/no-unassigned-import -- the program is what loading it does
require('../dist/hot.cjs');
