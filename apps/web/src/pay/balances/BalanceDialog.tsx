import { Alert, Modal, Radio, Stack, Textarea } from '@mantine/core'
import { type Balance, USUAL_HOLD } from '@tallyroom/contract/pay/balances/balances'
import { COUNTS_AS, type Currency } from '@tallyroom/domain/pay'
import { FORM_ERROR } from '../../lib/forms/form-errors.ts'
import { DialogButtons } from '../../ui/dialogs/DialogButtons.tsx'
import { AmountInput } from '../../ui/form/AmountInput.tsx'
import { FormError } from '../../ui/form/FormError.tsx'
import { ReasonField } from '../../ui/form/ReasonForm.tsx'
import { useOpened } from '../../ui/use-opened.ts'
import {
  type BalanceAct,
  countsAsText,
  countsAsWords,
  minorUnitsIn,
  whyItWaits,
  wordsOf,
} from '../balance-words.ts'
import classes from '../pay.module.css'
import { leftToApprove } from '../pay-words.ts'
import { type BalanceForm, useBalanceForm } from './use-balance-form.ts'
import { WAITS } from '../waits.ts'

interface BalanceDialogProps {
  balance: Balance
  act: BalanceAct
  onClosed: () => void
}

/** Asks for an amount, a reason, or both. Entries are kept with their author and never edited. */
export default function BalanceDialog({ balance, act, onClosed }: BalanceDialogProps) {
  const [opened, close] = useOpened()
  const { form, saving, currency } = useBalanceForm(act, balance, close)
  const { title, about, button, hasAmount, hasReason } = wordsOf(act, balance)
  const why = whyItWaits(act, balance, minorUnitsIn(form.values.amount))
  const left =
    why === undefined && act.kind !== 'minimum'
      ? leftToApprove(balance.payee.name, balance.approversAfter ?? null)
      : undefined
  return (
    <Modal opened={opened} onClose={close} onExitTransitionEnd={onClosed} title={title}>
      <form
        noValidate
        onSubmit={form.onSubmit((values) => (opened ? saving.mutate(values) : undefined))}
      >
        <Stack gap="sm">
          <FormError>{form.errors[FORM_ERROR]}</FormError>
          <p className={classes.lead}>{about}</p>
          {hasAmount && <Amount form={form} kind={act.kind} currency={currency} />}
          {act.kind === 'adjust' && act.given?.heldBackFor === undefined && (
            <CountsAs form={form} isFormer={act.former !== undefined} />
          )}
          {why && (
            <Alert color="yellow" title="This waits for a second person">
              {why} {WAITS}
            </Alert>
          )}
          {left && <Alert color="yellow">{left}</Alert>}
          {hasReason && (
            <ReasonField
              description={
                act.kind === 'hold' ? 'For staff. The payee never sees it.' : 'The payee reads it.'
              }
              data-autofocus={!hasAmount || undefined}
              {...form.getInputProps('reason')}
            />
          )}
          {act.kind === 'hold' && <TextForPayee form={form} isHeld={act.held} />}
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

interface AmountProps {
  form: BalanceForm
  kind: BalanceAct['kind']
  currency: Currency
}

/** What is added or subtracted, or the minimum. */
const Amount = ({ form, kind, currency }: AmountProps) => (
  <AmountInput
    label={kind === 'minimum' ? 'Minimum' : 'Amount'}
    description={
      kind === 'minimum'
        ? 'Leave it empty for the network’s minimum.'
        : 'A negative amount is subtracted.'
    }
    currency={currency === 'PHP' ? '₱' : '$'}
    placeholder={kind === 'minimum' ? '' : '-450.00'}
    withAsterisk={kind === 'adjust'}
    data-autofocus
    {...form.getInputProps('amount')}
  />
)

/** What the adjustment is. */
const CountsAs = ({ form, isFormer }: { form: BalanceForm; isFormer: boolean }) => (
  <Radio.Group label="What it is" {...form.getInputProps('countsAs')}>
    <Stack gap="xs" mt="xs">
      {COUNTS_AS.map((one) => (
        <Radio
          key={one}
          value={one}
          label={countsAsWords[one]}
          description={countsAsText(one, isFormer)}
        />
      ))}
    </Stack>
  </Radio.Group>
)

/** What the payee reads of a hold, or of its end. */
const TextForPayee = ({ form, isHeld }: { form: BalanceForm; isHeld: boolean }) => (
  <Textarea
    label="Text for the payee"
    description={
      isHeld
        ? `Optional. If you leave it empty, they read: ${USUAL_HOLD}`
        : 'Optional. They read it beside the date.'
    }
    autosize
    minRows={2}
    maxRows={8}
    maxLength={500}
    {...form.getInputProps('told')}
  />
)
