// Anthropic's own client for Node, in the two generations that are in use.

import { z } from "zod";

const PACKAGES = { 0: "@anthropic-ai/sdk-0", 1: "@anthropic-ai/sdk" };

export async function stream(stage) {
  const texts = [];
  const answer = (await client(stage)).messages.stream(stage.body).on("text", (text) => texts.push(text));
  return { message: await answer.finalMessage(), texts };
}

export async function create(stage) {
  return (await client(stage)).messages.create(stage.body);
}

export async function events(stage) {
  const kinds = [];
  for await (const event of await (await client(stage)).messages.create({ ...stage.body, stream: true })) {
    kinds.push(event.type);
  }
  return kinds;
}

export async function parse(stage) {
  const { zodOutputFormat } = await import(`${PACKAGES[stage.version]}/helpers/zod`);
  const format = zodOutputFormat(z.object({ city: z.string(), degrees: z.number() }));
  const answer = await (await client(stage)).messages.parse({ ...stage.body, output_config: { format } });
  return answer.parsed_output;
}

export async function toolRunner(stage) {
  const { betaZodTool } = await import(`${PACKAGES[stage.version]}/helpers/beta/zod`);
  const seen = [];
  const add = betaZodTool({
    name: "add",
    description: "Add.",
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    run: ({ a, b }) => {
      seen.push([a, b]);
      return String(a + b);
    },
  });
  const body = { ...stage.body, tools: [add], stream: stage.streamed };
  const runner = (await client(stage)).beta.messages.toolRunner(body);
  return { message: await runner.runUntilDone(), seen };
}

export async function mcp(stage) {
  const beta = (await client(stage)).beta.messages;
  const body = { ...stage.body, betas: ["mcp-client-2025-11-20"] };
  return stage.streamed ? beta.stream(body).finalMessage() : beta.create(body);
}

export async function countTokens(stage) {
  return (await client(stage)).messages.countTokens(stage.body);
}

export async function models(stage) {
  const ids = [];
  for await (const model of (await client(stage)).models.list({ limit: stage.limit })) ids.push(model.id);
  return ids;
}

export async function model(stage) {
  return (await (await client(stage)).models.retrieve(stage.model)).id;
}

export async function leave(stage) {
  const answer = (await client(stage)).messages.stream(stage.body);
  answer.on("text", () => answer.abort());
  return new Promise((resolve) => answer.on("abort", () => resolve(null)));
}

async function client({ version, url, token, headers = {} }) {
  const { default: Anthropic } = await import(PACKAGES[version]);
  return new Anthropic({ baseURL: url, apiKey: token, maxRetries: 0, defaultHeaders: headers });
}
