// Starts the protocol's conformance suite: on Node 20 too, and with the token of the server that it tries.
import fs from 'node:fs';
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';

const suite = process.env.CONFORMANCE_SUITE;

if (!fs.globSync) {
  // Only its report on SDKs needs this, which is not what runs here.
  const withGlob = `export * from 'node:fs'; export { default } from 'node:fs';
    export const globSync = () => { throw new Error('this needs Node 22'); };`;
  const hooks = `export const resolve = (name, context, next) =>
    name === 'fs' && context.parentURL === ${JSON.stringify(pathToFileURL(suite).href)}
      ? { url: ${JSON.stringify(asModule(withGlob))}, shortCircuit: true } : next(name, context);`;
  register(asModule(hooks));
}

if (process.env.CONFORMANCE_TOKEN) {
  const { Agent, setGlobalDispatcher } = createRequire(suite)('undici');
  const authorization = `Bearer ${process.env.CONFORMANCE_TOKEN}`;
  const withToken = (dispatch) => (options, handler) =>
    dispatch({ ...options, headers: [...flat(options.headers), 'authorization', authorization] }, handler);
  setGlobalDispatcher(new Agent().compose(withToken));
}

await import(pathToFileURL(suite).href);

function asModule(text) {
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

function flat(headers) {
  if (!headers) return [];
  if (Array.isArray(headers)) return headers;
  return (typeof headers[Symbol.iterator] === 'function' ? [...headers] : Object.entries(headers)).flat();
}
