/** Markdown that grows: what is finished is cut off and never looked at again, only the end is open. */

import type { Token } from 'marked'
import { lex } from './markdown'

export interface Block {
  /** The Markdown of it, whole. */
  raw: string
  /** The language of a code block, else undefined. */
  language?: string
  /** What stands in a code block. */
  code?: string
  /** Whether more of it may come. */
  isOpen: boolean
}

const LONGEST_FORMULA = 4000
const FENCE = /^ {0,3}(`{3,}|~{3,})[^\S\n]*([^\n]*)\n/

/** Each `grow` looks at the open end alone, so the work is linear in the text. */
export class Blocks {
  readonly finished: Block[] = []
  open: Block[] = []
  isGrowing = true
  private tail = ''
  private fence = ''
  private looked = 0

  grow(text: string): void {
    this.tail = withoutReturns(this.tail + text)
    if (this.fence && !this.isClosed()) {
      this.open = [this.codeBlock(true)]
      return
    }
    this.split()
  }

  /** No more will come. */
  end(): void {
    this.isGrowing = false
    this.fence = ''
    this.finished.push(...blocksOf(this.tail.replace(/\r$/, '\n'), false))
    this.tail = ''
    this.open = []
  }

  /** Of the lines that are whole, all blocks but the last can change no more. */
  private split(): void {
    const tokens = lex(this.tail.slice(0, this.tail.lastIndexOf('\n') + 1))
    const open = tokens.findIndex((token) => isOpenFormula(token, this.tail))
    const last = open < 0 ? tokens.findLastIndex((token) => token.type !== 'space') : open
    for (const token of tokens.slice(0, Math.max(last, 0))) {
      if (token.type !== 'space') this.finished.push(block(token, false))
      this.tail = this.tail.slice(token.raw.length)
    }
    this.fence = tokens[last]?.type === 'code' ? (FENCE.exec(this.tail)?.[1] ?? '') : ''
    this.looked = 0
    if (this.fence && this.isClosed()) this.fence = ''
    this.open = this.fence ? [this.codeBlock(true)] : blocksOf(this.tail, true)
  }

  /** Whether the end of the open code block has come. What was looked at is not looked at again. */
  private isClosed(): boolean {
    const from = Math.max(this.looked, this.tail.indexOf('\n') + 1)
    const closing = new RegExp(`^ {0,3}${this.fence[0]}{${this.fence.length},}[^\\S\\n]*$`, 'm')
    const isFound = closing.test(this.tail.slice(from))
    this.looked = Math.max(from, this.tail.lastIndexOf('\n') + 1)
    return isFound
  }

  private codeBlock(isOpen: boolean): Block {
    const opening = FENCE.exec(this.tail)
    const start = opening ? opening[0].length : 0
    return { raw: this.tail, language: opening?.[2]?.trim() ?? '', code: this.tail.slice(start), isOpen }
  }
}

export function blocksOf(text: string, isOpen = false): Block[] {
  return lex(text)
    .filter((token) => token.type !== 'space' && token.raw)
    .map((token) => block(token, isOpen))
}

/** Every line ends in the same way; a last return waits for what follows it. */
function withoutReturns(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n|\r(?!$)/g, '\n') : text
}

/** A formula that has not ended yet, which may look like other blocks until then. One that grows too long is none. */
function isOpenFormula(token: Token, tail: string): boolean {
  if (token.type !== 'paragraph') return false
  const sign = /^ {0,3}(\$\$|\\\[)/.exec(token.raw)?.[1]
  if (!sign || tail.length > LONGEST_FORMULA) return false
  return !token.raw.slice(token.raw.indexOf(sign) + 2).includes(sign === '$$' ? sign : '\\]')
}

function block(token: Token, isOpen: boolean): Block {
  if (token.type !== 'code') return { raw: token.raw, isOpen }
  return { raw: token.raw, language: token.lang ?? '', code: token.text as string, isOpen }
}
