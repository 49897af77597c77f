/** Usage by person and model, summed up as an admin wants to see it. */

import type { UsageRow } from '@/api/admin'

export type Grouping = 'both' | 'people' | 'models'

/** Sums of rows: `unpriced` says that the cost of some of them is not known. */
export interface Sum extends UsageRow {
  cost: number
  unpriced: boolean
}

/** The dearest first, then by tokens. */
export function grouped(rows: UsageRow[], by: Grouping): Sum[] {
  const sums = new Map<string, Sum>()
  for (const row of rows) {
    const user = by === 'models' ? '' : row.user
    const model = by === 'people' ? '' : row.model
    const key = JSON.stringify([user, model])
    sums.set(key, plus(sums.get(key) ?? { ...none(), user, model }, row))
  }
  return [...sums.values()].sort((one, other) => other.cost - one.cost || tokens(other) - tokens(one))
}

export function total(rows: UsageRow[]): Sum {
  return rows.reduce<Sum>(plus, none())
}

function none(): Sum {
  return { user: '', model: '', requests: 0, input_tokens: 0, output_tokens: 0, cost: 0, unpriced: false }
}

function plus(sum: Sum, row: UsageRow): Sum {
  return {
    ...sum,
    requests: sum.requests + row.requests,
    input_tokens: sum.input_tokens + row.input_tokens,
    output_tokens: sum.output_tokens + row.output_tokens,
    cost: sum.cost + (row.cost ?? 0),
    unpriced: sum.unpriced || row.cost === null,
  }
}

function tokens(row: UsageRow): number {
  return row.input_tokens + row.output_tokens
}
