// The AI SDK with its providers for Anthropic and OpenAI, in the two generations that are in use.

import { z } from "zod";

const GENERATIONS = {
  6: { ai: "ai", anthropic: "@ai-sdk/anthropic", openai: "@ai-sdk/openai" },
  7: { ai: "ai-7", anthropic: "@ai-sdk/anthropic-4", openai: "@ai-sdk/openai-4" },
};

export async function streamed(stage) {
  const ai = await sdk(stage);
  const seen = [];
  const result = ai.streamText({ ...(await asked(stage, ai, seen)), onError: () => {} });
  const kinds = [];
  const texts = [];
  for await (const part of result.fullStream) {
    if (part.type === "error") throw part.error;
    if (part.type === "text-delta") texts.push(part.text);
    if (kinds.at(-1) !== part.type) kinds.push(part.type);
  }
  return { ...(await told(result)), seen, kinds, texts };
}

export async function generated(stage) {
  const ai = await sdk(stage);
  const seen = [];
  const result = await ai.generateText(await asked(stage, ai, seen));
  return { ...(await told(result)), seen };
}

export async function object(stage) {
  const ai = await sdk(stage);
  const schema = z.object({ city: z.string(), degrees: z.number() });
  const wishes = await asked(stage, ai, []);
  if (!stage.streamed) return (await ai.generateObject({ ...wishes, schema })).object;
  const result = ai.streamObject({ ...wishes, schema });
  let partial = 0;
  for await (const _ of result.partialObjectStream) partial += 1;
  return { ...(await result.object), partial };
}

// Structured output of the text functions, which may come after calls of tools.
export async function output(stage) {
  const ai = await sdk(stage);
  const seen = [];
  const schema = z.object({ city: z.string(), degrees: z.number() });
  const wishes = { ...(await asked(stage, ai, seen)), output: ai.Output.object({ schema }) };
  const result = await ai.generateText(wishes);
  return { output: result.output, seen };
}

async function sdk({ generation }) {
  return import(GENERATIONS[generation].ai);
}

async function asked(stage, ai, seen) {
  const { prompt, messages, system, providerOptions, toolChoice, options } = stage;
  const wishes = { model: await model(stage), maxRetries: 0, providerOptions, system, ...options };
  if (messages) wishes.messages = messages.map(withBytes);
  else wishes.prompt = prompt ?? "hi";
  if (stage.mcp) return { ...wishes, ...(await withServer(stage)) };
  if (!stage.tools) return wishes;
  return { ...wishes, tools: tools(ai, seen), toolChoice, stopWhen: ai.stepCountIs(stage.steps ?? 5) };
}

// An MCP server that runs behind the model, as each provider has it.
async function withServer({ generation, api, mcp: { name, url } }) {
  if (api === "anthropic") return { providerOptions: { anthropic: { mcpServers: [{ type: "url", name, url }] } } };
  const { openai } = await import(GENERATIONS[generation].openai);
  return { tools: { mcp: openai.tools.mcp({ serverLabel: name, serverUrl: url, requireApproval: "never" }) } };
}

function tools(ai, seen) {
  const add = ai.tool({
    description: "Add.",
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    execute: ({ a, b }) => {
      seen.push([a, b]);
      return { sum: a + b };
    },
  });
  const fail = ai.tool({
    description: "Fail.",
    inputSchema: z.object({}),
    execute: () => {
      throw new Error("it broke");
    },
  });
  return { add, fail };
}

async function told(result) {
  const steps = await result.steps;
  return {
    text: await result.text,
    reasoning: steps.map((step) => step.reasoningText ?? ""),
    calls: steps.flatMap((step) => step.toolCalls.map((call) => [call.toolName, call.input])),
    finish: await result.finishReason,
    usage: await (result.totalUsage ?? result.usage),
    steps: steps.length,
    content: steps.at(-1).content.map((part) => part.type),
  };
}

// A file's bytes cannot travel as JSON: they come as base64.
function withBytes(message) {
  if (typeof message.content === "string") return message;
  return { ...message, content: message.content.map(partWithBytes) };
}

function partWithBytes({ base64, ...part }) {
  if (!base64) return part;
  return { ...part, [part.type === "image" ? "image" : "data"]: Buffer.from(base64, "base64") };
}

async function model({ generation, api, url, token, model }) {
  const [provider, kind] = api.split(".");
  const packages = await import(GENERATIONS[generation][provider]);
  if (provider === "anthropic") return packages.createAnthropic({ baseURL: `${url}/v1`, authToken: token })(model);
  return packages.createOpenAI({ baseURL: `${url}/v1`, apiKey: token })[kind](model);
}
