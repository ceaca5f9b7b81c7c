#!/usr/bin/env node
require('../dist/hot.cjs');
