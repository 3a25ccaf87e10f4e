import { Alert, Modal, Stack, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type Balance, balancesEndpoints, USUAL_HOLD } from '@tallyroom/contract/pay/balances'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FORM_ERROR } from '../../lib/form-errors.ts'
import { DialogButtons } from '../../ui/DialogButtons.tsx'
import { AmountInput } from '../../ui/form/AmountInput.tsx'
import { FormError } from '../../ui/form/FormError.tsx'
import { onOneLine, ReasonField } from '../../ui/form/ReasonForm.tsx'
import { useSave } from '../../ui/form/use-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { toastSaved } from '../../ui/toasts.tsx'
import { toastProposed, WAITS } from './waits.ts'
import { thenRefresh } from '../../lib/then-refresh.ts'
import { useOpened } from '../../ui/use-opened.ts'
import {
  amountText,
  type BalanceAct,
  minimumOf,
  minorUnitsIn,
  whyItWaits,
  wordsOf,
} from './balance-words.ts'
import { payeeParams } from './pay-words.ts'
import { setMinimum } from './pay.api.ts'
import classes from './pay.module.css'
import { refreshPay } from '../refresh-pay.ts'
import { call } from '../../lib/call.ts'

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
  const { payee } = balance
  const currency = (act.kind === 'adjust' && act.former) || balance.currency
  const params = payeeParams(payee)
  const { title, about, button, hasAmount, hasReason } = wordsOf(act, balance)
  const amountIn = ({ amount }: Values) => minorUnitsIn(amount)
  const given = act.kind === 'adjust' ? act.given : undefined
  const adjustmentOf = (typed: Values) => ({
    kind: payee.kind,
    id: payee.id,
    currency,
    amount: amountIn(typed),
    reason: onOneLine(typed.reason),
    heldBackFor: given?.heldBackFor,
  })

  const form = useForm<Values>({
    initialValues: {
      amount: act.kind === 'minimum' ? minimumOf(balance) : amountText(given?.amount),
      reason: given?.reason ?? '',
      told: '',
    },
    validate: (values) => ({
      ...(act.kind === 'adjust' &&
        validateBy(balancesEndpoints.createAdjustment, adjustmentOf)(values)),
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
          return call(balancesEndpoints.createAdjustment, { body: adjustmentOf(values) })
        case 'take-back': {
          const id = String(act.adjustment.id)
          return call(balancesEndpoints.takeBackAdjustment, { params: { id }, body: { reason } })
        }
        case 'hold': {
          const body = { held: act.held, reason, told: onOneLine(values.told), seen: act.seen }
          const setting = call(balancesEndpoints.setPayHold, { params, body })
          return thenRefresh(setting, () => refreshPay(client))
        }
        case 'minimum': {
          const amount = values.amount.trim() === '' ? null : amountIn(values)
          return setMinimum(params, { amount, currency })
        }
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
            <Alert color="yellow" title="This waits for a second person">
              {why} {WAITS}
            </Alert>
          )}
          {hasReason && (
            <ReasonField
              description={
                act.kind === 'hold' ? 'For staff. The payee never sees it.' : 'The payee reads it.'
              }
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
