import { Loader, Modal, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { HeldResult, HoldChange } from '@tallyroom/contract/tracking/held-postbacks'
import { isEventType, type ToldEvent, toldEventOf } from '@tallyroom/domain/event-types'
import type { HoldAct, HoldKind } from '@tallyroom/domain/holds'
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
import { previewQuery, salesQuery, settleHeld, wouldPay } from './held.api.ts'
import { HeldSides } from './HeldSides.tsx'
import classes from './held.module.css'
import { actWords, saleHint } from './hold-words.ts'

/** As much of a held postback as its decision shows. */
export type HeldPostback = {
  id: string
  siteId: number | null
  transactionId: string | null
  event: string | null
  hold: { kind: HoldKind } | null
}

interface SettleHeldProps {
  postbacks: readonly HeldPostback[]
  act: HoldAct
  /** Reads the page again, once something was settled. */
  refresh: () => Promise<unknown>
  /** What is said once all is settled, such as what comes next. */
  settledText?: string
  onClosed: () => void
}

/** Shows what an act would do about held postbacks, asks for a reason, and does it. */
export function SettleHeld({ postbacks, act, refresh, settledText, onClosed }: SettleHeldProps) {
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

  const confirm = async (reason: string) => {
    const seen = items.flatMap(({ id, effect }) => (effect === null ? [] : [{ id, effect }]))
    const answer = await settleHeld({ ...asked, seen, reason })
    await refresh()
    close()
    tell(answer.items, settledText)
  }

  return (
    <Modal
      opened={opened}
      onClose={close}
      onExitTransitionEnd={onClosed}
      title={postbacks.length === 1 ? label : `${label}: ${postbacks.length} postbacks`}
      size="lg"
    >
      <Stack gap="sm">
        <Text size="sm">{does}</Text>
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
        {settled.length > 0 && (
          <ReasonForm
            maxLength={200}
            confirmLabel={
              settled.length === postbacks.length
                ? confirmLabel(label, settled)
                : `${label}: ${settled.length} of ${postbacks.length}`
            }
            onConfirm={confirm}
            onKeep={close}
          />
        )}
      </Stack>
    </Modal>
  )
}

/** The button says what is paid, or no longer paid. */
function confirmLabel(label: string, settled: readonly HeldResult[]): string {
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

function tell(items: readonly HeldResult[], settledText: string | undefined) {
  const open = items.filter(({ state }) => state !== 'settled')
  if (open.length === 0 && settledText !== undefined)
    toast({ kind: 'success', heading: 'Settled', body: settledText })
  else if (open.length === 0) toastDone()
  else
    toast({
      kind: 'error',
      heading: open.length === items.length ? 'Not done' : `${open.length} not done`,
      body: open[0]?.reason ?? '',
    })
}
