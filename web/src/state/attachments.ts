/** Files that a person adds to a prompt: images, PDF, and everything that reads as text. */

import { fill, t } from '@/i18n'
import type { FilePart } from '@/wire/parts'

export const MOST_FILES = 10
export const MOST_BYTES = 10_000_000
/** All of them travel in one request, a third larger, and the server takes 32 MB. */
export const MOST_TOGETHER = 20_000_000

const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const SAMPLE = 4096

/** The files that can be added to those that are there, and why the others can not. */
export async function taken(given: Iterable<File>, there: FilePart[]): Promise<{ parts: FilePart[]; problem: string }> {
  const parts: FilePart[] = []
  let together = there.reduce((sum, part) => sum + bytesOf(part), 0)
  let problem = ''
  for (const file of given) {
    const why = await problemWith(file, there.length + parts.length, together)
    if (why) {
      problem = why
      continue
    }
    together += file.size
    parts.push(await filePart(file))
  }
  return { parts, problem }
}

/** The file as the message holds it: whole, in its address. */
export async function filePart(file: File): Promise<FilePart> {
  const kind = kindOf(file)
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error(file.name))
    reader.readAsDataURL(file)
  })
  return { type: 'file', mediaType: kind, url: url.replace(/^data:[^,]*?(?=;base64,|,)/, `data:${kind}`), filename: file.name }
}

async function problemWith(file: File, count: number, together: number): Promise<string> {
  if (count >= MOST_FILES) return fill(t.composer.tooMany, { limit: MOST_FILES })
  if (file.size > MOST_BYTES) return fill(t.composer.tooLarge, { name: file.name, limit: megabytes(MOST_BYTES) })
  if (together + file.size > MOST_TOGETHER) return fill(t.composer.tooLargeTogether, { limit: megabytes(MOST_TOGETHER) })
  if (!file.size) return fill(t.composer.emptyFile, { name: file.name })
  const isKnown = IMAGES.includes(file.type) || file.type === 'application/pdf' || (await isText(file))
  return isKnown ? '' : fill(t.composer.wrongKind, { name: file.name })
}

/** A file that is no image and no PDF is text, whatever the system calls it: to some, TypeScript is a video. */
function kindOf(file: File): string {
  if (IMAGES.includes(file.type) || file.type === 'application/pdf') return file.type
  return file.type.startsWith('text/') || file.type === 'application/json' ? file.type : 'text/plain'
}

async function isText(file: File): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(0, SAMPLE).arrayBuffer())
  return !bytes.includes(0)
}

function bytesOf(part: FilePart): number {
  return Math.floor((part.url.length - part.url.indexOf(',') - 1) * 0.75)
}

function megabytes(bytes: number): string {
  return `${bytes / 1_000_000} MB`
}
