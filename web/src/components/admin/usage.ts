/** Usage by person and model, summed up as an admin wants to see it. */

import type { UsageRow } from '@/api/admin'

export type Grouping = 'both' | 'people' | 'models'

/** The dearest first, then by tokens. */
export function grouped(rows: UsageRow[], by: Grouping): UsageRow[] {
  const sums = new Map<string, UsageRow>()
  for (const row of rows) {
    const user = by === 'models' ? '' : row.user
    const model = by === 'people' ? '' : row.model
    const key = JSON.stringify([user, model])
    sums.set(key, plus(sums.get(key) ?? { ...none(), user, model }, row))
  }
  return [...sums.values()].sort((one, other) => other.cost - one.cost || tokens(other) - tokens(one))
}

export function total(rows: UsageRow[]): UsageRow {
  return rows.reduce(plus, none())
}

function none(): UsageRow {
  return { user: '', model: '', requests: 0, input_tokens: 0, output_tokens: 0, cost: 0 }
}

function plus(sum: UsageRow, row: UsageRow): UsageRow {
  return {
    ...sum,
    requests: sum.requests + row.requests,
    input_tokens: sum.input_tokens + row.input_tokens,
    output_tokens: sum.output_tokens + row.output_tokens,
    cost: sum.cost + row.cost,
  }
}

/** Whether some of what was used has no price that is known, or none at all. */
export function hasFree(rows: UsageRow[]): boolean {
  return rows.some((row) => row.cost === 0 && tokens(row) > 0)
}

function tokens(row: UsageRow): number {
  return row.input_tokens + row.output_tokens
}
