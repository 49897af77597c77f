import { expect, test, vi } from 'vitest'
import { Frames, sentEvents, Silence } from '@/wire/sse'

const BODY = ': hello\r\n\r\nevent: a\r\nid: 1\r\ndata: {"x":\r\ndata: 1}\r\n\r\ndata: two\n\n: ping\n\nid: 3\rdata:three\r\r\ndata: [DONE]\n\n'

test('events are the same however the text is cut', () => {
  const whole = new Frames().feed(BODY)
  expect(whole.map((event) => event.data)).toEqual(['{"x":\n1}', 'two', 'three', '[DONE]'])
  for (let size = 1; size < 9; size += 1) {
    const frames = new Frames()
    const found = []
    for (let at = 0; at < BODY.length; at += size) found.push(...frames.feed(BODY.slice(at, at + size)))
    expect(found).toEqual(whole)
  }
})

function body(...pieces: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(control) {
      for (const piece of pieces) control.enqueue(new TextEncoder().encode(piece))
      control.close()
    },
  })
}

test('a letter that is cut in two is whole again', async () => {
  const bytes = new TextEncoder().encode('data: 零\n\n')
  const cut = new ReadableStream<Uint8Array>({
    start(control) {
      for (const byte of bytes) control.enqueue(new Uint8Array([byte]))
      control.close()
    },
  })
  const found = []
  for await (const { data } of sentEvents(cut)) found.push(data)
  expect(found).toEqual(['零'])
})

test('what never ended is no event', async () => {
  const found = []
  for await (const { data } of sentEvents(body('data: a\n\n', 'data: b\n'))) found.push(data)
  expect(found).toEqual(['a'])
})

test('a stream that falls silent is given up, and one that pings is not', async () => {
  vi.useFakeTimers()
  let control: ReadableStreamDefaultController<Uint8Array> | undefined
  const open = new ReadableStream<Uint8Array>({ start: (given) => void (control = given) })
  const reading = (async () => {
    for await (const event of sentEvents(open, 1000)) void event
  })()
  const ended = expect(reading).rejects.toThrow(Silence)
  await vi.advanceTimersByTimeAsync(900)
  control?.enqueue(new TextEncoder().encode(': ping\n\n'))
  await vi.advanceTimersByTimeAsync(900)
  let isOver = false
  void reading.catch(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(0)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(200)
  await ended
  vi.useRealTimers()
})
