import { Radio, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { paySettingsLabels } from '@tallyroom/contract/pay/labels'
import type { Day } from '@tallyroom/domain/new-york'
import { AVP_RULES, PAY_LENGTHS, PAYEES } from '@tallyroom/domain/pay'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { AmountInput } from '../../ui/form/AmountInput.tsx'
import { FormSection } from '../../ui/form/FormSection.tsx'
import { FormText } from '../../ui/form/FormText.tsx'
import { WithDays } from '../../ui/text/WithDays.tsx'
import { holdingText, type PaySettingsValues, waitingText } from './pay-settings-form.ts'
import { avpWords, lengthWords, payeesWords } from '../pay-words.ts'

interface FieldsProps {
  form: UseFormReturnType<PaySettingsValues>
}

/** By what sales are paid, to whom, and how often. */
export const TermsFields = ({
  form,
  fixedFirstDay,
  leftOut,
}: FieldsProps & {
  /** What is not paid although it was sold since the first day. */
  leftOut: string | undefined
  /** Null until the first period is closed. */
  fixedFirstDay: Day | null
}) => (
  <>
    <FormSection
      title="AVP"
      about="What sales of AVP sites are paid by. It can differ by thousands of pesos, so there is no default."
    >
      <div style={{ gridColumn: '1 / -1' }}>
        <Radio.Group
          aria-label={paySettingsLabels.avp}
          withAsterisk
          {...form.getInputProps('avp')}
          error={form.isTouched('avp') ? form.errors['avp'] : undefined}
        >
          <Choices values={AVP_RULES} words={avpWords} />
        </Radio.Group>
      </div>
    </FormSection>
    <FormSection title="Payees" about="Who gets a statement, and the money.">
      <Radio.Group aria-label={paySettingsLabels.payees} {...form.getInputProps('payees')}>
        <Choices values={PAYEES} words={payeesWords} />
      </Radio.Group>
    </FormSection>
    <FormSection title="Period" about="How long a pay period is, in New York days.">
      <Radio.Group
        aria-label={paySettingsLabels.periodLength}
        {...form.getInputProps('periodLength')}
      >
        <Choices values={PAY_LENGTHS} words={lengthWords} />
      </Radio.Group>
      {fixedFirstDay === null ? (
        <DayPicker
          label={paySettingsLabels.firstDay}
          value={form.values.firstDay}
          onChange={(firstDay) => form.setFieldValue('firstDay', firstDay)}
          error={form.errors['firstDay']}
        />
      ) : (
        <FormText label="First day">
          <WithDays>{fixedFirstDay}</WithDays>, fixed by the first closed period
        </FormText>
      )}
      {leftOut !== undefined && (
        <p role="status" style={{ gridColumn: '1 / -1', margin: 0 }}>
          {leftOut}
        </p>
      )}
    </FormSection>
  </>
)

/** One of several, each with a sentence about it. */
const Choices = <Value extends string>({
  values,
  words,
}: {
  values: readonly Value[]
  words: Readonly<Record<Value, { label: string; about: string }>>
}) => (
  <Stack gap="xs">
    {values.map((value) => (
      <Radio
        key={value}
        value={value}
        label={words[value].label}
        description={words[value].about}
      />
    ))}
  </Stack>
)

/** From which amount, and from which day on, what is owed is paid. */
export const DueFields = ({
  form,
  changesFrom,
  today,
}: FieldsProps & {
  /** From when a change of these settings acts. */
  changesFrom: Day
  today: Day
}) => (
  <>
    <FormSection
      title="Minimum"
      about="A smaller balance is carried to the next period. A payee can have a minimum of its own."
    >
      <AmountInput
        label={paySettingsLabels.minimumCentavos}
        currency="₱"
        {...form.getInputProps('minimumCentavos')}
      />
      <AmountInput
        label={paySettingsLabels.minimumCents}
        currency="$"
        {...form.getInputProps('minimumCents')}
      />
    </FormSection>
    <FormSection
      title="Holding time"
      about="How long pay is held after its period, because sales can still be taken back. Negative statements, returned transfers and corrections act at once."
    >
      <TextInput
        label={paySettingsLabels.holdingDays}
        description={holdingText(form.values.holdingDays, changesFrom)}
        inputMode="numeric"
        maxLength={2}
        w={280}
        {...form.getInputProps('holdingDays')}
      />
    </FormSection>
    <FormSection
      title="New accounts"
      about="A payee whose account was stolen needs time to notice. They are told at once, and nothing is paid to a new account on these days."
    >
      <TextInput
        label={paySettingsLabels.waitingDays}
        description={waitingText(form.values.waitingDays, today)}
        inputMode="numeric"
        maxLength={2}
        w={280}
        {...form.getInputProps('waitingDays')}
      />
    </FormSection>
  </>
)
