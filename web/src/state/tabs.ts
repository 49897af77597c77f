/** Tabs of one browser tell each other where something has begun: no connection is kept open only to hear of it. */

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('toolpost')

export function tell(session: string): void {
  channel?.postMessage({ session })
}

/** Calls `heard` when another tab did something in this session; returns how to end that. */
export function onTold(session: string, heard: () => void): () => void {
  const listen = (event: MessageEvent<{ session?: string }>) => event.data.session === session && heard()
  channel?.addEventListener('message', listen)
  return () => channel?.removeEventListener('message', listen)
}
