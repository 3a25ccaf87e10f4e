import { Loader, Modal, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { HeldResult, HoldChange } from '@tallyroom/contract/tracking/held-postbacks'
import type { PostbackItem } from '@tallyroom/contract/tracking/postbacks'
import { formatCount } from '@tallyroom/domain/money'
import { isEventType, type ToldEvent, toldEventOf } from '@tallyroom/domain/event-types'
import {
  type HoldAct,
  type HoldKind,
  readingOfAct,
  type WordReading,
} from '@tallyroom/domain/holds'
import { inSentence } from '@tallyroom/domain/invisible'
import { formatClock } from '@tallyroom/domain/new-york'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { failureText } from '../../lib/forms/form-errors.ts'
import { FormError } from '../../ui/form/FormError.tsx'
import { ReasonForm } from '../../ui/form/ReasonForm.tsx'
import { toast, toastDone } from '../../ui/toasts.tsx'
import { WithDays } from '../../ui/text/WithDays.tsx'
import { useOpened } from '../../ui/use-opened.ts'
import { bothText, paidOf, paidText } from '../earned.tsx'
import {
  decideHeld,
  decideSiteWord,
  previewQuery,
  salesQuery,
  settleHeld,
  wouldPay,
} from './held.api.ts'
import { HeldSides } from './HeldSides.tsx'
import classes from './held.module.css'
import { actWords, saleHint } from './hold-words.ts'

/** As much of a held postback as its decision shows. */
export type HeldPostback = {
  id: string
  siteId: number | null
  transactionId: string | null
  event: string | null
  hold: { kind: HoldKind; word?: NonNullable<PostbackItem['hold']>['word'] } | null
}

interface SettleHeldProps {
  postbacks: readonly HeldPostback[]
  act: HoldAct
  /** It is carried out in a minute, in which the page offers to undo it. For one postback. */
  undoable?: true
  /** Reads the page again, once something was settled. */
  refresh: () => Promise<unknown>
  /** What is said once all is settled, such as what comes next. */
  settledText?: string
  onClosed: () => void
}

/** Shows what an act would do about held postbacks, asks for a reason, and does it. */
export function SettleHeld({
  postbacks,
  act,
  undoable,
  refresh,
  settledText,
  onClosed,
}: SettleHeldProps) {
  const [opened, close] = useOpened()
  const [saleId, setSaleId] = useState<string>()
  const ids = postbacks.map(({ id }) => id)
  const asked = { ids, act, ...(saleId !== undefined && { saleId }) }
  const preview = useQuery(previewQuery(asked))
  const { label, does } = actWords[act]
  const items = preview.data?.items ?? []
  const settled = items.filter(({ state }) => state === 'settled')
  const [only] = postbacks
  const hint = saleHint(act, only?.hold?.kind)
  const asksForSale = hint !== undefined && postbacks.length === 1 && only?.siteId != null

  const decision = decisionOf(postbacks, act)

  const confirm = async (reason: string) => {
    const tellDone = await (decision
      ? decideWord(decision, reason)
      : (undoable ? decideSeen : settleSeen)({ ...asked, reason }, items, settledText))
    await refresh()
    close()
    tellDone()
  }

  return (
    <Modal
      opened={opened}
      onClose={close}
      onExitTransitionEnd={onClosed}
      title={titleOf(label, decision ? 1 : postbacks.length)}
      size="lg"
    >
      <Stack gap="sm">
        <Text size="sm">
          {does}
          {decision ? ' It is done at once.' : undoable && ' It can be undone for a minute.'}
        </Text>
        <Word of={decision} />
        {postbacks.length === 1 && only?.hold?.kind === 'other-click' && (
          <HeldSides id={only.id} wouldPay={wouldPay(items)} />
        )}
        {asksForSale && (
          <SaleChoice
            siteId={only.siteId ?? 0}
            label={only.hold?.kind === 'which-sale' ? 'The sale' : 'Another sale of this site'}
            hint={hint}
            saleId={saleId}
            onChange={setSaleId}
          />
        )}
        {preview.isPending && <Loader size="sm" aria-label="Loading what it does" />}
        <FormError>{preview.error && failureText(preview.error)}</FormError>
        {items.length > 0 && (
          <ul className={classes.effects} aria-label="What it does" tabIndex={0}>
            {items.map((item) => (
              <Effect
                key={item.id}
                item={item}
                postback={postbacks.find(({ id }) => id === item.id)}
              />
            ))}
          </ul>
        )}
        {isReady(decision, items) && (
          <ReasonForm
            maxLength={200}
            confirmLabel={confirmLabel(
              label,
              settled,
              decision ? settled.length : postbacks.length,
            )}
            onConfirm={confirm}
            onKeep={close}
          />
        )}
      </Stack>
    </Modal>
  )
}

/** What one decision says about a word, for all that wait with it and all that come, whatever each of them does. */
type Decision = NonNullable<NonNullable<HeldPostback['hold']>['word']> & {
  siteId: number
  reading: WordReading
}

/** Undefined for an act that is about these postbacks alone. */
function decisionOf([first]: readonly HeldPostback[], act: HoldAct): Decision | undefined {
  const word = first?.hold?.word
  const reading = readingOfAct(act)
  const siteId = first?.siteId
  return word && reading && siteId != null ? { ...word, reading, siteId } : undefined
}

async function decideWord({ siteId, ...word }: Decision, reason: string) {
  const { settled, held } = await decideSiteWord(siteId, { ...word, reason })
  const body =
    held === 0
      ? `${formatCount(settled)} ${settled === 1 ? 'report is' : 'reports are'} settled.`
      : `${formatCount(settled)} settled, ${formatCount(held)} to follow.`
  return () => toast({ kind: 'success', heading: 'The word is decided', body })
}

type Asked = Parameters<typeof settleHeld>[0]

/** Settles them as they were shown. */
async function settleSeen(
  asked: Asked,
  items: readonly HeldResult[],
  settledText: string | undefined,
) {
  const { items: done } = await settleHeld({ ...asked, seen: seenOf(items) })
  return () => tell(done, settledText, 'Settled')
}

/** Decides about one as it was shown. */
async function decideSeen(
  { act, saleId, reason }: Asked,
  items: readonly HeldResult[],
  settledText: string | undefined,
) {
  const [first] = seenOf(items)
  if (!first) return () => tell(items, settledText, 'Decided')
  const done = await decideHeld(first.id, { act, saleId, effect: first.effect, reason })
  return () => tell([done], settledText, 'Decided')
}

const seenOf = (items: readonly HeldResult[]) =>
  items.flatMap(({ id, effect }) => (effect === null ? [] : [{ id, effect }]))

const Word = ({ of }: { of: Decision | undefined }) =>
  of && (
    <Text size="sm">
      <code>{inSentence(`${of.parameter}=${of.value}`)}</code>
    </Text>
  )

const titleOf = (label: string, count: number): string =>
  count === 1 ? label : `${label}: ${count} postbacks`

/** A word is decided whatever it does to those that are shown. */
const isReady = (decision: Decision | undefined, items: readonly HeldResult[]): boolean =>
  decision ? items.length > 0 : items.some(({ state }) => state === 'settled')

/** The button says what is paid, or no longer paid. */
function confirmLabel(label: string, settled: readonly HeldResult[], count: number): string {
  if (settled.length < count) return `${label}: ${settled.length} of ${count}`
  const changes = settled.flatMap((item) => item.changes)
  return changes.length === 0 ? label : `${label} (${bothText(paidOf(changes))})`
}

function Effect({ item, postback }: { item: HeldResult; postback: HeldPostback | undefined }) {
  return (
    <li>
      <p className={classes.order}>
        {postback?.event ?? 'Postback'} <bdi>{postback?.transactionId}</bdi>
      </p>
      {item.changes.map((change) => (
        <p key={change.eventId}>
          <WithDays>{inSentence(changeText(change))}</WithDays>
        </p>
      ))}
      {item.state === 'settled' ? (
        item.changes.length === 0 && <p className={classes.dim}>No figure changes.</p>
      ) : (
        <p>
          <WithDays>{item.reason ?? 'This can’t be done about it.'}</WithDays>
        </p>
      )}
    </li>
  )
}

function changeText(change: HoldChange): string {
  const what = isEventType(change.eventType) ? toldEventOf(change.eventType, change) : null
  const one = what === null ? 'An event' : oneOf[what]
  const does =
    change.quantity > 0
      ? change.isRestored
        ? `The ${what ?? 'event'} counts again`
        : `${one} is counted`
      : change.quantity < 0
        ? `${one} is taken back`
        : `A part of the ${what ?? 'event'} is taken back`
  const order = change.transactionId === null ? '' : ` ${change.transactionId}`
  const when = formatClock(new Date(change.occurredAt))
  return `${does}: ${paidText(change)}, ${change.sitename} · ${change.typename}${order}, ${change.agent} (${change.officeName}), on ${when}.`
}

const oneOf = {
  sale: 'A sale',
  bonus: 'A bonus',
  approval: 'An approval',
} satisfies Record<ToldEvent, string>

/** Finds the sale to take back by its order number. */
function SaleChoice(props: {
  siteId: number
  label: string
  hint: string
  saleId: string | undefined
  onChange: (saleId: string | undefined) => void
}) {
  const [typed, setTyped] = useState('')
  const [asked] = useDebouncedValue(typed.trim(), 250)
  const found = useQuery({ ...salesQuery(props.siteId, asked), enabled: asked !== '' })
  const sales = asked === '' ? [] : (found.data?.items.items ?? [])
  return (
    <Stack gap={6}>
      <TextInput
        label={props.label}
        description={props.hint}
        placeholder="Order number"
        maxLength={128}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          props.onChange(undefined)
        }}
      />
      {asked !== '' && found.data && sales.length === 0 && (
        <Text size="sm" c="dimmed">
          No sale of this site has this order number.
        </Text>
      )}
      {sales.length > 0 && (
        <Radio.Group
          label="Sales found"
          value={props.saleId ?? ''}
          onChange={(value) => props.onChange(value)}
        >
          <Stack gap={4}>
            {sales.map(({ id, transactionId, agent, typename, date }) => (
              <Radio
                key={id}
                value={id}
                label={inSentence(
                  `${transactionId ?? 'No order number'} · ${typename} · ${agent} · ${formatClock(new Date(date))}`,
                )}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </Stack>
  )
}

function tell(
  items: readonly HeldResult[],
  settledText: string | undefined,
  heading: 'Decided' | 'Settled',
) {
  const open = items.filter(({ state }) => state !== 'settled')
  if (open.length === 0 && settledText !== undefined)
    toast({ kind: 'success', heading, body: settledText })
  else if (open.length === 0) toastDone()
  else
    toast({
      kind: 'error',
      heading: open.length === items.length ? 'Not done' : `${open.length} not done`,
      body: open[0]?.reason ?? '',
    })
}
