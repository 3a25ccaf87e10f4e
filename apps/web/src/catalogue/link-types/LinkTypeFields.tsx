import { Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { linkTypeLabels } from '@tallyroom/contract/catalogue/labels'
import type { UseFormReturnType } from '@mantine/form'
import type { SaleNaming } from '@tallyroom/domain/event-types'
import type { ReactNode } from 'react'
import { MarginMark } from '../../shared/MarginMark.tsx'
import { amountOf } from '../../ui/form/amount-of.ts'
import { AmountInput } from '../../ui/form/AmountInput.tsx'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { inputsOf } from '../../ui/form/inputs-of.ts'
import type { LinkTypeValues } from './link-type-form.ts'
import { labelled, saleLabels } from './sale-labels.ts'

interface LinkTypeFieldsProps {
  form: UseFormReturnType<LinkTypeValues>
  site: SaleNaming
  /** For an existing link type: when its rates begin. */
  ratesFrom?: ReactNode
}

export function LinkTypeFields({ form, site, ratesFrom }: LinkTypeFieldsProps) {
  const { sale, bonus } = saleLabels(site)
  const { text, check } = inputsOf(form, linkTypeLabels)
  return (
    <>
      <FormSection
        title="Link"
        about="What is sold, and where its visitors go. Saving another alias or URL asks for your password."
      >
        <TextInput withAsterisk {...text('typename', 128)} />
        <TextInput
          description="The merchant’s name for this link in postbacks"
          withAsterisk
          autoCapitalize="none"
          spellCheck={false}
          {...text('typealias', 128)}
        />
        <WholeRow>
          <TextInput
            description="Where visitors are sent. {click_id}, {site_id}, {type_id}, {agent_id}, {office_id} and {sub1} to {sub5} are replaced. Without {click_id}, the click parameter is added."
            withAsterisk
            inputMode="url"
            spellCheck={false}
            {...text('url', 2048)}
          />
        </WholeRow>
        <Checkbox
          description="utm_source, gclid and whatever else a visitor’s link carries is added to the URL"
          {...check('forwardParams')}
        />
        <TextInput {...text('bbrCh', 64)} />
      </FormSection>
      <FormSection
        title="Rates"
        about="Payout: what you pay for a sale. Earning: what the merchant pays you. LPP: points. Offices can have their own rates. A change counts for sales made after it, and saving it asks for your password."
      >
        <WholeRow>
          <Rates
            form={form}
            step={sale}
            fields={{ payout: 'payout', earning: 'earning', lpp: 'lpp' }}
          />
        </WholeRow>
        <Checkbox label={bonus} {...form.getInputProps('bonus', { type: 'checkbox' })} />
        {form.values.bonus && (
          <WholeRow>
            <Rates
              form={form}
              step={bonus}
              fields={{ payout: 'bonusPayout', earning: 'bonusEarning', lpp: 'bonusLpp' }}
            />
          </WholeRow>
        )}
        {ratesFrom && <WholeRow>{ratesFrom}</WholeRow>}
      </FormSection>
      <FormSection title="State" about="Whether this link can be sold.">
        <Checkbox description="Tracked links are live" {...check('active')} />
      </FormSection>
    </>
  )
}

interface RatesProps {
  form: UseFormReturnType<LinkTypeValues>
  /** What the rates are for, such as `Day#2 Sale`. */
  step: string
  fields: Record<'payout' | 'earning' | 'lpp', keyof LinkTypeValues>
}

const Rates = ({ form, step, fields }: RatesProps) => (
  <Stack gap={0}>
    <Group gap="xs" align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
      <AmountInput
        label={labelled(step, 'Payout')}
        currency="₱"
        withAsterisk
        miw={120}
        {...form.getInputProps(fields.payout)}
      />
      <AmountInput
        label={labelled(step, 'Earning')}
        currency="$"
        withAsterisk
        miw={120}
        {...form.getInputProps(fields.earning)}
      />
      <TextInput
        label={labelled(step, 'LPP')}
        inputMode="numeric"
        autoComplete="off"
        withAsterisk
        maxLength={6}
        miw={80}
        {...form.getInputProps(fields.lpp)}
      />
    </Group>
    <MarginMark
      earning={amountOf(String(form.values[fields.earning]))}
      payout={amountOf(String(form.values[fields.payout]))}
    />
  </Stack>
)
