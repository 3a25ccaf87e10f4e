import type { PostbackEvent } from '@tallyroom/domain/event-types'
import type { Standing } from '@tallyroom/domain/standings'

/**
 * Postbacks as the documents of one tracker or shop describe them, with values of our own. A line is what the
 * request must mean, a bar, and the request: `pending bonus A-7`, `sale -` without an order number, `refused` with
 * the field, or `held` for a person.
 */
export type Corpus = {
  /** Its id; empty for a merchant's own program. */
  tracker: string
  /** The merchant's goals, beside the words that the tracker always uses. */
  events?: Record<string, PostbackEvent>
  statuses?: Record<string, Standing>
  lines: string
}

export type CorpusRow = { meaning: string; request: string }

export const rowsOf = ({ lines }: Corpus): CorpusRow[] =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, meaning = '', request = ''] = /^(.*?)\s*\|\s*(.*)$/.exec(line) ?? []
      return { meaning, request }
    })
