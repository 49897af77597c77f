// Plays clients' parts: a line of JSON on stdin is one scene, a line on stdout what the client made of it.

import { createInterface } from "node:readline";

const SECONDS = 30;

// Stdout is for answers alone; some clients write notices there.
console.log = console.info = console.error;

for await (const line of createInterface({ input: process.stdin })) {
  const { module, scene, ...stage } = JSON.parse(line);
  process.stdout.write(JSON.stringify(await played(module, scene, stage)) + "\n");
}
// Connections that are kept for a next request would hold the process.
process.exit(0);

async function played(module, scene, stage) {
  try {
    const scenes = await import(`./scenes/${module}.mjs`);
    return { value: (await inTime(scenes[scene](stage))) ?? null };
  } catch (error) {
    return { error: described(error) };
  }
}

async function inTime(work) {
  let clock;
  const late = new Promise((_, reject) => {
    clock = setTimeout(() => reject(new Error(`not done after ${SECONDS} s`)), SECONDS * 1000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(clock);
  }
}

// Not everything that is thrown is an Error.
function described(error) {
  const { name, message, stack } = error;
  const status = error.status ?? error.statusCode ?? null;
  const known = name && name !== "Error" ? name : error.constructor.name;
  return { name: known, message: message ?? JSON.stringify(error), status, kind: error.type ?? null, stack };
}
