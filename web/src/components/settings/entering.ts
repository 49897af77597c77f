/** A server as a person enters it in a form, and as the server takes it. */

import type { NewServer } from '@/api/types'

export interface Entered {
  name: string
  /** An address, or a command with its arguments. */
  target: string
  /** One `NAME=value` or `Name: value` a line: variables for a command, headers for an address. */
  more: string
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text.trim())
}

export function toServer({ name, target, more }: Entered): NewServer {
  const pairs = pairsIn(more)
  const own = Object.keys(pairs).length > 0
  if (isWebAddress(target)) return { name: name.trim(), url: target.trim(), ...(own ? { headers: pairs } : {}) }
  const [command = '', ...args] = words(target)
  return { name: name.trim(), command, args, ...(own ? { env: pairs } : {}) }
}

/** A name that goes with what was entered, until the person writes one. */
export function likelyName(target: string): string {
  const text = target.trim()
  if (isWebAddress(text)) {
    const host = text.replace(/^https?:\/\//i, '').split(/[/:?#]/)[0] ?? ''
    const parts = host.split('.').filter((part) => !['www', 'mcp', 'api', 'com', 'org', 'net', 'io', 'dev', 'ai', 'app'].includes(part))
    return clean(parts.at(-1) ?? host)
  }
  const given = words(text).filter((word) => !word.startsWith('-'))
  const last = given.find((word, place) => place > 0 && /mcp|server/i.test(word)) ?? given.at(-1) ?? ''
  const bare = (last.split('/').at(-1) ?? '').replace(/@.*$|\.\w+$/, '')
  return clean(bare.replace(/^(mcp-server-|server-|mcp-)|(-mcp-server|-mcp|-server)$/g, ''))
}

/** As a shell would split them: quotes hold a word together. */
export function words(text: string): string[] {
  const found = text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)
  return [...found].map(([, double, single, plain]) => double?.replace(/\\(.)/g, '$1') ?? single ?? plain ?? '')
}

function pairsIn(text: string): Record<string, string> {
  const lines = text.split('\n').map((line) => /^\s*([^:=\s]+)\s*[:=]\s*(.*?)\s*$/.exec(line))
  return Object.fromEntries(lines.flatMap((found) => (found?.[1] ? [[found[1], found[2] ?? '']] : [])))
}

function clean(text: string): string {
  return text.replace(/[^A-Za-z0-9_.-]/g, '').replace(/^[^A-Za-z0-9]+/, '').slice(0, 64)
}
