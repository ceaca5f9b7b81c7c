// Bundles execa without what a start does not need. Where it is loaded, it opens stdin, stdout and stderr of the process to
// recognise them among its options, which costs 3 ms and makes their pipes non-blocking: we never hand them to it. And it
// looks up the descriptions of all signals for its error messages: their names do.
const STREAMS = `
export const isStandardStream = () => false;
export const STANDARD_STREAMS = [];
export const STANDARD_STREAMS_ALIASES = ['stdin', 'stdout', 'stderr'];
export const getStreamName = (fd) => STANDARD_STREAMS_ALIASES[fd] ?? 'stdio[' + fd + ']';
`;
const SIGNALS = `
import { constants } from 'node:os';
export const signalsByName = Object.fromEntries(
  Object.keys(constants.signals).map((name) => [name, { description: name }]),
);
`;

export const bundledExeca = {
  name: 'bundled-execa',
  setup(bundle) {
    bundle.onLoad({ filter: /[\\/]execa[\\/]lib[\\/]utils[\\/]standard-stream\.js$/ }, () => ({
      contents: STREAMS,
      loader: 'js',
    }));
    bundle.onLoad({ filter: /[\\/]human-signals[\\/]build[\\/]src[\\/]main\.js$/ }, () => ({
      contents: SIGNALS,
      loader: 'js',
      resolveDir: '.',
    }));
  },
};
