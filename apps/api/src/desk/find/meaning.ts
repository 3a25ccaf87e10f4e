import { UNCOUNTED_WORDS } from '@tallyroom/contract/desk/click-logs'
import type { PostbackItem } from '@tallyroom/contract/tracking/postbacks'
import { can } from '@tallyroom/domain/abilities'
import { saysUnstored } from '@tallyroom/domain/click-id'
import { inSentence } from '@tallyroom/domain/invisible'
import { formatCount } from '@tallyroom/domain/money'
import { dayOf } from '@tallyroom/domain/new-york'
import type { Viewer } from '../../access/viewer.ts'
import { type Uncounted, MOST_NAMING } from '../../tracking/index.ts'

/** What a text can be the name of, beside a person or a site. */
export type Named =
  | { kind: 'number' | 'address' | 'name'; text: string }
  /** `nonce` is undefined if we have not made this id. */
  | { kind: 'click'; nonce: number | undefined }

export type Known = {
  viewer: Viewer
  named: Named
  /** Those that the viewer may know of, newest first. */
  postbacks: { items: readonly PostbackItem[]; total: number }
  click: { uncounted: Uncounted | null } | undefined
}

/** Says what it means that no sale in the viewer's scope has this number, address or click id. */
export const meaningOf = (known: Known): string | null =>
  can(known.viewer, 'postbacks.view') ? forStaff(known) : forPayee(known)

function forStaff({ named, postbacks, click }: Known): string | null {
  if (postbacks.total >= MOST_NAMING)
    return sentences(
      'No sale has this number',
      'Many postbacks contain it, so it is an amount or another ordinary value',
    )
  const [newest] = postbacks.items
  const reports =
    newest &&
    (postbacks.total === 1
      ? `One postback does, ${postbackWords(newest)}`
      : `${formatCount(postbacks.total)} postbacks do, the newest ${postbackWords(newest)}`)
  switch (named.kind) {
    case 'name':
      return null
    case 'number':
      return reports
        ? sentences('No sale has this number', reports)
        : sentences(
            `No merchant has sent anything with ${inSentence(named.text)}`,
            'Ask for the click id',
          )
    case 'address':
      return reports
        ? sentences('No sale has this address', reports)
        : sentences('No sale has this address, and no postback that became none')
    case 'click': {
      if (named.nonce === undefined) return sentences('This is not one of our click ids')
      const uncounted =
        click?.uncounted && `It was not counted: ${UNCOUNTED_WORDS[click.uncounted]}`
      if (newest) return sentences('No sale has this click id', reports, uncounted)
      if (click) return sentences('Nobody has reported anything with this click id', uncounted)
      return sentences(
        saysUnstored({ nonce: named.nonce })
          ? 'This click id was given to a visitor who was not recorded, such as a crawler'
          : 'This click id is ours, but its click is archived or was lost',
        'Nobody has reported anything with it',
      )
    }
  }
}

/** Nothing that they could not see in their own lists; the same whether or not somebody else's sale has it. */
function forPayee({ viewer, named, postbacks, click }: Known): string | null {
  const whom = viewer.role === 'agent' ? 'your office' : 'the network'
  const [newest] = postbacks.items
  const report =
    newest && `A report of it came on ${dayOf(new Date(newest.receivedAt))}: ${payeeWords(newest)}`
  switch (named.kind) {
    case 'name':
      return null
    case 'number':
      return report
        ? sentences('No sale of yours has this number yet', report)
        : sentences(
            'None of your sales has this number',
            `If it should, ask ${whom} and give the click id`,
          )
    case 'address':
      return report
        ? sentences('No sale of yours has this address yet', report)
        : sentences('None of your sales has this address')
    case 'click':
      if (!click) return sentences('None of your clicks has this id')
      return sentences(
        'No sale came from this click yet',
        report,
        click.uncounted && `It was not counted: ${UNCOUNTED_WORDS[click.uncounted]}`,
      )
  }
}

/** `waiting: the sale that it reverses has not arrived yet` */
export function postbackWords({ outcome, reason, hold, test }: PostbackItem): string {
  const word = [test && 'a test', hold ? 'held for a decision' : OUTCOME_WORDS[outcome]]
    .filter(Boolean)
    .join(', ')
  return reason === null ? word : `${word}: ${withoutStop(uncapitalized(reason))}`
}

const OUTCOME_WORDS = {
  recorded: 'recorded',
  duplicate: 'a duplicate',
  waiting: 'waiting',
  unmatched: 'unmatched',
  conflict: 'in conflict',
  refused: 'refused',
  pending: 'pending',
  rejected: 'rejected by the merchant',
  ignored: 'ignored, as it is about no sale',
} as const satisfies Record<PostbackItem['outcome'], string>

/** Without our reasons, which may be about somebody else's sale. */
const payeeWords = ({ outcome }: PostbackItem): string => PAYEE_WORDS[outcome]

const PAYEE_WORDS = {
  recorded: 'it is recorded',
  duplicate: 'it repeats an earlier one',
  waiting: 'it waits for what it is about',
  unmatched: 'what it is about never arrived',
  conflict: 'the network has to decide about it',
  refused: 'it was refused',
  pending: 'the merchant has not approved it yet',
  rejected: 'the merchant rejected it',
  ignored: 'it is about no sale',
} as const satisfies Record<PostbackItem['outcome'], string>

const sentences = (...parts: readonly (string | null | false | undefined)[]): string =>
  parts
    .filter((part) => typeof part === 'string')
    .map((part) => `${part}.`)
    .join(' ')

const withoutStop = (text: string): string => text.replace(/\.$/, '')

/** Leaves abbreviations and names of fields as they are. */
const uncapitalized = (text: string): string =>
  /^[A-Z][a-z]* /.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
