import { Alert, Modal, Stack, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { moneyText } from '@tallyroom/contract/pay/statement-sections'
import {
  type Adjustment,
  type Balance,
  balancesEndpoints,
  USUAL_HOLD,
} from '@tallyroom/contract/pay/balances'
import { fromMinorUnits, toMinorUnits } from '@tallyroom/domain/money'
import { isAboveLimit } from '@tallyroom/domain/pay-limits'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FORM_ERROR } from '../../lib/form-errors.ts'
import { DialogButtons } from '../../ui/DialogButtons.tsx'
import { amountOf } from '../../ui/form/amount-of.ts'
import { AmountInput } from '../../ui/form/AmountInput.tsx'
import { FormError } from '../../ui/form/FormError.tsx'
import { onOneLine } from '../../ui/form/ReasonForm.tsx'
import { useSave } from '../../ui/form/use-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { toastSaved } from '../../ui/toasts.tsx'
import { toastProposed, WAITS } from './waits.ts'
import { thenRefresh } from '../../lib/then-refresh.ts'
import { useOpened } from '../../ui/use-opened.ts'
import { payeeParams } from './pay-words.ts'
import { createAdjustment, refreshPay, setHold, setMinimum, takeBackAdjustment } from './pay.api.ts'
import classes from './pay.module.css'

/** The action that the dialog asks about. */
export type BalanceAct =
  | { kind: 'adjust'; given?: { amount?: number; reason: string; heldBackFor: number | undefined } }
  | { kind: 'take-back'; adjustment: Adjustment }
  | {
      kind: 'hold'
      held: boolean
      /** When the hold was set that the page showed; null without one. */
      seen: string | null
    }
  | { kind: 'minimum' }

interface BalanceDialogProps {
  balance: Balance
  act: BalanceAct
  onClosed: () => void
}

/** Asks for an amount, a reason, or both. Entries are kept with their author and never edited. */
export default function BalanceDialog({ balance, act, onClosed }: BalanceDialogProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [opened, close] = useOpened()
  const { payee, currency } = balance
  const params = payeeParams(payee)
  const { title, about, button, hasAmount, hasReason } = wordsOf(act, balance)
  const amountIn = ({ amount }: Values) => minorUnitsIn(amount)
  const given = act.kind === 'adjust' ? act.given : undefined

  const form = useForm<Values>({
    initialValues: {
      amount: act.kind === 'minimum' ? minimumOf(balance) : amountText(given?.amount),
      reason: given?.reason ?? '',
      told: '',
    },
    validate: (values) => ({
      ...(act.kind === 'adjust' &&
        validateBy(balancesEndpoints.createAdjustment, (typed: Values) => ({
          kind: payee.kind,
          id: payee.id,
          currency,
          amount: amountIn(typed),
          reason: onOneLine(typed.reason),
          heldBackFor: given?.heldBackFor,
        }))(values)),
      ...(act.kind === 'minimum' &&
        values.amount.trim() !== '' &&
        validateBy(balancesEndpoints.setPayMinimum, (typed: Values) => ({
          amount: amountIn(typed),
        }))(values)),
      ...(act.kind !== 'minimum' && values.reason.trim() === '' && { reason: 'Is required.' }),
    }),
    validateInputOnBlur: true,
  })
  const saving = useSave(form, {
    save: async (values: Values): Promise<unknown> => {
      const reason = onOneLine(values.reason)
      switch (act.kind) {
        case 'adjust':
          return createAdjustment({
            kind: payee.kind,
            id: payee.id,
            currency,
            amount: amountIn(values),
            reason,
            heldBackFor: given?.heldBackFor,
          })
        case 'take-back':
          return takeBackAdjustment(act.adjustment.id, reason)
        case 'hold':
          return thenRefresh(
            setHold(
              { ...params, kind: payee.kind },
              { held: act.held, reason, told: onOneLine(values.told), seen: act.seen },
            ),
            () => refreshPay(client),
          )
        case 'minimum':
          return setMinimum(
            { ...params, kind: payee.kind },
            { amount: values.amount.trim() === '' ? null : amountIn(values), currency },
          )
      }
    },
    onSaved: (answer) => {
      if (isProposed(answer)) toastProposed(navigate)
      else toastSaved()
      close()
      void refreshPay(client)
    },
  })
  const why = whyItWaits(act, balance, amountIn(form.values))
  return (
    <Modal opened={opened} onClose={close} onExitTransitionEnd={onClosed} title={title}>
      <form
        noValidate
        onSubmit={form.onSubmit((values) => (opened ? saving.mutate(values) : undefined))}
      >
        <Stack gap="sm">
          <FormError>{form.errors[FORM_ERROR]}</FormError>
          <p className={classes.lead}>{about}</p>
          {hasAmount && (
            <AmountInput
              label={act.kind === 'minimum' ? 'Minimum' : 'Amount'}
              description={
                act.kind === 'minimum'
                  ? 'Leave it empty for the network’s minimum.'
                  : 'A negative amount is subtracted.'
              }
              currency={currency === 'PHP' ? '₱' : '$'}
              placeholder={act.kind === 'minimum' ? '' : '-450.00'}
              withAsterisk={act.kind === 'adjust'}
              data-autofocus
              {...form.getInputProps('amount')}
            />
          )}
          {why && (
            <Alert color="yellow" variant="light" title="This waits for a second person">
              {why} {WAITS}
            </Alert>
          )}
          {hasReason && (
            <Textarea
              label="Reason"
              description={
                act.kind === 'hold' ? 'For staff. The payee never sees it.' : 'The payee reads it.'
              }
              withAsterisk
              autosize
              minRows={2}
              maxRows={8}
              maxLength={500}
              data-autofocus={!hasAmount || undefined}
              {...form.getInputProps('reason')}
            />
          )}
          {act.kind === 'hold' && (
            <Textarea
              label="Text for the payee"
              description={
                act.held
                  ? `Optional. If you leave it empty, they read: ${USUAL_HOLD}`
                  : 'Optional. They read it beside the date.'
              }
              autosize
              minRows={2}
              maxRows={8}
              maxLength={500}
              {...form.getInputProps('told')}
            />
          )}
          <DialogButtons
            act={why ? 'Ask a second person' : button}
            onCancel={close}
            busy={saving.isPending}
            disabled={!form.isValid()}
          />
        </Stack>
      </form>
    </Modal>
  )
}

interface Values extends Record<string, unknown> {
  amount: string
  reason: string
  told: string
}

const isProposed = (answer: unknown): boolean =>
  typeof answer === 'object' &&
  answer !== null &&
  'proposalId' in answer &&
  answer.proposalId !== null

/** Why this amount waits for a second person; undefined if it does not. The server decides again. */
function whyItWaits(
  act: BalanceAct,
  { adjustmentLimit: limit, currency }: Balance,
  typed: number,
): string | undefined {
  if (!limit) return undefined
  const amount = act.kind === 'adjust' ? typed : 0
  const isAbove =
    act.kind === 'take-back' ? act.adjustment.takeBackWaits : isAboveLimit(amount, limit)
  if (!isAbove) return undefined
  const text = moneyText(limit.limit, currency)
  return Math.abs(amount) > limit.limit || act.kind === 'take-back'
    ? `Adjustments above ${text} do.`
    : `Together with ${moneyText(amount > 0 ? limit.added : -limit.subtracted, currency)} since the last statement that nobody has approved, it is above ${text}.`
}

/** The minimum in force, so that saving without a change removes nothing; empty without an own one. */
function minimumOf({ ownMinimums, currency }: Balance): string {
  return amountText(ownMinimums.find((one) => one.currency === currency)?.amount)
}

const amountText = (minorUnits: number | undefined): string =>
  minorUnits === undefined ? '' : fromMinorUnits(minorUnits).toFixed(2)

/** NaN if it is not an amount: the server’s schema refuses that. */
const minorUnitsIn = (typed: string): number => {
  const amount = amountOf(typed)
  return Number.isNaN(amount) ? amount : (toMinorUnits(amount) ?? Number.NaN)
}

function wordsOf(act: BalanceAct, { payee: { name }, balances }: Balance) {
  const inRuns = balances
    .filter((one) => one.running > 0)
    .map((one) => moneyText(one.running, one.currency))
    .join(' and ')
  switch (act.kind) {
    case 'adjust':
      return {
        title: `Adjust ${name}`,
        about:
          act.given?.heldBackFor === undefined
            ? 'The amount becomes a line of the next statement. You can take it back, but not edit it.'
            : 'The amount becomes a line of the next statement. Once an admin activates the agent, it is taken back by itself.',
        button: 'Add the adjustment',
        hasAmount: true,
        hasReason: true,
      }
    case 'take-back':
      return {
        title: 'Take back an adjustment',
        about: `This adds the opposite of ${moneyText(act.adjustment.amount, act.adjustment.currency)} (${act.adjustment.reason}) to the next statement.`,
        button: 'Take it back',
        hasAmount: false,
        hasReason: true,
      }
    case 'hold':
      return act.held
        ? {
            title: `Put ${name} on hold`,
            about: `Statements are still made. The balance is not paid until the hold is lifted.${inRuns && ` ${inRuns} is in a payment run: until the hold is lifted, its files that pay ${name} can’t be downloaded. If one was downloaded before, only your bank can stop the payment.`}`,
            button: 'Put on hold',
            hasAmount: false,
            hasReason: true,
          }
        : {
            title: `Lift the hold of ${name}`,
            about: 'The balance can be paid again with the next payment run.',
            button: 'Lift the hold',
            hasAmount: false,
            hasReason: true,
          }
    case 'minimum':
      return {
        title: `Minimum of ${name}`,
        about: 'A smaller balance is carried to the next period instead of being paid.',
        button: 'Save the minimum',
        hasAmount: true,
        hasReason: false,
      }
  }
}
