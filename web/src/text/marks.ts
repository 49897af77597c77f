/** The marks around what comes from outside: they are for the model, and people see in other ways where it comes from. */
export function withoutMarks(text: string): string {
  return text.replace(/^<untrusted source="[^"]*">\n/gm, '').replace(/\n?^<\/untrusted>$/gm, '')
}
