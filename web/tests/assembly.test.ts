import { readUIMessageStream, type UIMessageChunk } from 'ai'
import { expect, test } from 'vitest'
import { Assembly, type Chunk } from '@/wire/assembly'
import type { Message } from '@/wire/parts'

const RUN: Chunk[] = [
  { type: 'start', messageId: 'msg_1', messageMetadata: { model: 'up/m' } },
  { type: 'start-step' },
  { type: 'reasoning-start', id: '0' },
  { type: 'reasoning-delta', id: '0', delta: 'Hm' },
  { type: 'reasoning-delta', id: '0', delta: 'm.' },
  { type: 'reasoning-end', id: '0' },
  { type: 'tool-input-start', toolCallId: 'a', toolName: 'add' },
  { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: '{"x":' },
  { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: '1}' },
  { type: 'tool-input-available', toolCallId: 'a', toolName: 'add', input: { x: 1 } },
  { type: 'tool-input-available', toolCallId: 'b', toolName: 'mcp__s__t', input: {}, dynamic: true },
  { type: 'tool-output-available', toolCallId: 'a', output: 0 },
  { type: 'tool-output-error', toolCallId: 'b', errorText: 'no', dynamic: true },
  { type: 'data-tool', id: 'a', data: { duration: 1 } },
  { type: 'data-tool', id: 'a', data: { duration: 2 } },
  { type: 'data-progress', data: { text: 'x' }, transient: true },
  { type: 'finish-step' },
  { type: 'start-step' },
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: '零' },
  { type: 'text-end', id: '0' },
  { type: 'finish-step' },
  { type: 'finish', finishReason: 'stop', messageMetadata: { cost: 1 } },
]

test('what a step has shown is taken back where the step is reset, and a call of the same id is another', () => {
  const before: Chunk[] = [
    { type: 'start', messageId: 'msg_1' },
    { type: 'start-step' },
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: 'First.' },
    { type: 'text-end', id: '0' },
    { type: 'start-step' },
  ]
  const after: Chunk[] = [
    { type: 'tool-input-available', toolCallId: 'a', toolName: 'add', input: { x: 2 } },
    { type: 'tool-output-available', toolCallId: 'a', output: 2 },
    { type: 'finish', finishReason: 'stop' },
  ]
  const failed: Chunk[] = [
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'Hal' },
    { type: 'tool-input-start', toolCallId: 'a', toolName: 'add' },
    { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: '{"x' },
    { type: 'data-tool', id: 'a', data: {} },
    { type: 'reset-step' },
  ]
  expect(assembled([...before, ...failed, ...failed, ...after])).toEqual(assembled([...before, ...after]))
})

/** The SDK gives a message only with certain chunks, and this is one. */
const NUDGE: Chunk = { type: 'message-metadata', messageMetadata: { agent: 'build' } }

function assembled(chunks: Chunk[]): Message {
  const assembly = new Assembly({ id: '', role: 'assistant', parts: [] }, { now: () => 0 })
  for (const chunk of chunks) assembly.feed(chunk)
  assembly.flush()
  return assembly.message
}

async function byTheSdk(chunks: Chunk[]): Promise<Message> {
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk as unknown as UIMessageChunk)
      controller.close()
    },
  })
  let last: unknown
  for await (const message of readUIMessageStream({ stream })) last = message
  return comparable(last as Message) as Message
}

/** What only the page, or only the SDK, keeps is left out. */
function comparable(message: Message): unknown {
  const own = new Set(['began', 'ended', 'inputText'])
  const plain = JSON.parse(JSON.stringify(message, (key, value: unknown) => (own.has(key) ? undefined : value))) as Message
  for (const part of plain.parts) {
    if (part.type === 'reasoning') delete (part as { id?: string }).id
    // The SDK parses the arguments with every piece; the page shows them as they are until they are whole.
    if ('state' in part && part.state === 'input-streaming') delete part.input
  }
  return plain
}

test('a run gives the same message as the AI SDK makes of it', async () => {
  expect(comparable(assembled(RUN))).toEqual(await byTheSdk(RUN))
})

test('so does every beginning of it', async () => {
  for (let count = 1; count < RUN.length; count += 1) {
    const beginning = [...RUN.slice(0, count), NUDGE]
    expect(comparable(assembled(beginning)), `${count} chunks`).toEqual(await byTheSdk(beginning))
  }
})

const APPROVAL: Chunk[] = [
  { type: 'start', messageId: 'msg_2' },
  { type: 'start-step' },
  { type: 'tool-input-available', toolCallId: 'a', toolName: 'bash', input: { command: 'ls' } },
  { type: 'tool-approval-request', approvalId: 'ask_1', toolCallId: 'a' },
  { type: 'tool-input-available', toolCallId: 'a', toolName: 'bash', input: { command: 'ls' } },
  { type: 'tool-output-available', toolCallId: 'a', output: false },
  { type: 'tool-input-available', toolCallId: 'b', toolName: 'bash', input: { command: 'rm' } },
  { type: 'tool-approval-request', approvalId: 'ask_2', toolCallId: 'b' },
  { type: 'tool-output-denied', toolCallId: 'b' },
  { type: 'tool-input-error', toolCallId: 'c', toolName: 'bash', input: '{"comm', errorText: 'cut', dynamic: true },
  { type: 'source-url', sourceId: 's', url: 'https://a.example', title: 'A' },
  { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AAAA' },
  { type: 'message-metadata', messageMetadata: { usage: { input: 1 } } },
  { type: 'finish-step' },
  { type: 'finish' },
]

test('calls that are asked about, denied or broken are those of the AI SDK, too', async () => {
  for (let count = 1; count <= APPROVAL.length; count += 1) {
    const beginning = [...APPROVAL.slice(0, count), NUDGE]
    expect(comparable(assembled(beginning)), `${count} chunks`).toEqual(await byTheSdk(beginning))
  }
})

test('text is drawn when it is flushed, and everything before another part', () => {
  const assembly = new Assembly({ id: '', role: 'assistant', parts: [] })
  assembly.feed({ type: 'text-start', id: '0' })
  assembly.feed({ type: 'text-delta', id: '0', delta: 'a' })
  expect(assembly.message.parts).toMatchObject([{ text: '' }])
  assembly.feed({ type: 'text-end', id: '0' })
  expect(assembly.message.parts).toMatchObject([{ text: 'a', state: 'done' }])
})

test('an error ends it and keeps what was said', () => {
  const assembly = new Assembly({ id: '', role: 'assistant', parts: [] })
  for (const chunk of [...RUN.slice(0, 5), { type: 'error', errorText: 'broken' }]) assembly.feed(chunk)
  expect(assembly.ending).toEqual({ kind: 'failed', text: 'broken' })
  expect(assembly.message.parts).toMatchObject([{ type: 'step-start' }, { text: 'Hmm.', state: 'done' }])
})
