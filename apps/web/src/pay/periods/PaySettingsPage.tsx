import { Button, Radio, Stack, TextInput } from '@mantine/core'
import type { BodyOf } from '@tallyroom/contract/endpoint'
import { paySettingsLabels } from '@tallyroom/contract/pay/labels'
import { paySettingsEndpoints, type PaySettings } from '@tallyroom/contract/pay/settings'
import { moneyText } from '@tallyroom/contract/pay/statement-sections'
import { fromMinorUnits, toMinorUnits } from '@tallyroom/domain/money'
import { addDays } from '@tallyroom/domain/new-york'
import { AVP_RULES, type AvpRule, PAY_LENGTHS, PAYEES, payPeriodOf } from '@tallyroom/domain/pay'
import { daysInWords } from '@tallyroom/domain/periods'
import { MOST_RATE_PERCENT } from '@tallyroom/domain/pay-limits'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useDayIn, useToday } from '../../lib/clock.ts'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { amountOf } from '../../ui/form/amount-of.ts'
import { AmountInput } from '../../ui/form/AmountInput.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { LastChanges } from '../../shared/LastChanges.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { FormSection } from '../../ui/form/FormSection.tsx'
import { FormText } from '../../ui/form/FormText.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { Select } from '../../ui/Select.tsx'
import { toastSaved } from '../../ui/toasts.tsx'
import { JournalAccounts } from './JournalAccounts.tsx'
import { LimitsDialog } from './LimitsDialog.tsx'
import { avpWords, lengthWords, payeesWords, settingsText } from './pay-words.ts'
import { settingsQuery } from './pay.api.ts'
import { LinkText } from '../../ui/links.tsx'
import { TwoPeople } from './TwoPeople.tsx'
import { WithDays } from '../../ui/WithDays.tsx'
import classes from './pay.module.css'
import { refreshPay } from '../refresh-pay.ts'

const PayerDetails = lazy(async () => ({
  default: (await import('./direct-dialogs.ts')).PayerDetails,
}))

/** Who is paid, how often, and by what. */
export const PaySettingsPage = () => (
  <FormLoader query={useQuery(settingsQuery)} fields={5}>
    {(settings) => (
      <>
        <div className={classes.cards}>
          <TwoPeople settings={settings} />
          {settings.on && <Limits limits={settings.adjustmentLimits} />}
        </div>
        <SettingsForm settings={settings} />
        {settings.on && (
          <section className={classes.journal} aria-label="Accounts of the journal">
            <h2>Accounts of the journal</h2>
            <p className={classes.lead}>
              Their names or numbers, exactly as in your accountant’s software.
            </p>
            <JournalAccounts />
          </section>
        )}
        {settings.on && (
          <Suspense>
            <PayerDetails />
          </Suspense>
        )}
        <LastChanges object="paySettings:0" />
      </>
    )}
  </FormLoader>
)

function SettingsForm({ settings }: { settings: PaySettings }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const today = useToday()
  const { form, frame } = useRecordForm({
    endpoint: paySettingsEndpoints.savePaySettings,
    values: valuesOf(settings, today),
    bodyOf: (values) => ({
      ...bodyOf(values),
      ...(settings.firstDayFixed && { firstDay: undefined }),
    }),
    onSaved: () => {
      toastSaved({
        label: 'See the periods',
        open: () => void navigate({ to: '/app/pay/periods' }),
      })
      void refreshPay(client)
    },
  })
  const bankToday = useDayIn(form.values.bankTimeZone)
  return (
    <FormFrame
      {...frame}
      submitLabel={settings.on ? 'Save' : 'Switch pay on'}
      actions={!form.values.avp && <span className={classes.dim}>Choose what AVP pays first.</span>}
    >
      <State settings={settings} />
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
            <Stack gap="xs">
              {AVP_RULES.map((value) => (
                <Radio
                  key={value}
                  value={value}
                  label={avpWords[value].label}
                  description={avpWords[value].about}
                />
              ))}
            </Stack>
          </Radio.Group>
        </div>
      </FormSection>
      <FormSection title="Payees" about="Who gets a statement, and the money.">
        <Radio.Group aria-label={paySettingsLabels.payees} {...form.getInputProps('payees')}>
          <Stack gap="xs">
            {PAYEES.map((value) => (
              <Radio
                key={value}
                value={value}
                label={payeesWords[value].label}
                description={payeesWords[value].about}
              />
            ))}
          </Stack>
        </Radio.Group>
      </FormSection>
      <FormSection title="Period" about="How long a pay period is, in New York days.">
        <Radio.Group
          aria-label={paySettingsLabels.periodLength}
          {...form.getInputProps('periodLength')}
        >
          <Stack gap="xs">
            {PAY_LENGTHS.map((value) => (
              <Radio
                key={value}
                value={value}
                label={lengthWords[value].label}
                description={lengthWords[value].about}
              />
            ))}
          </Stack>
        </Radio.Group>
        {settings.firstDayFixed ? (
          <FormText label="First day">
            <WithDays>{settings.firstDay}</WithDays>, fixed by the first closed period
          </FormText>
        ) : (
          <DayPicker
            label={paySettingsLabels.firstDay}
            value={form.values.firstDay}
            onChange={(firstDay) => form.setFieldValue('firstDay', firstDay)}
            error={form.errors['firstDay']}
          />
        )}
      </FormSection>
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
          description={holdingText(form.values.holdingDays, settings.changesFrom ?? today)}
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
      <FormSection
        title="Bank"
        about="A payment run has an execution date: a day where the bank is. Everything else in pay goes by New York days."
      >
        <Select
          label={paySettingsLabels.bankTimeZone}
          description={`It is ${bankToday} there now.`}
          searchable
          nothingFoundMessage="No such time zone"
          data={zonesWith(settings.bankTimeZone)}
          {...form.getInputProps('bankTimeZone')}
        />
      </FormSection>
    </FormFrame>
  )
}

/** Above what an adjustment waits for a second person. Two people change it, so it is no field of the form. */
function Limits({ limits }: { limits: PaySettings['adjustmentLimits'] }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <section className={classes.card} aria-label="Limits">
      <div className={classes.cardRow}>
        <p>
          <strong>Limits.</strong> Adjustments above {moneyText(limits.PHP, 'PHP')} or{' '}
          {moneyText(limits.USD, 'USD')} for one payee in one period, exchange rates that differ by
          more than {MOST_RATE_PERCENT} % from the last, and failed transfers that the bank’s file
          does not name{' '}
          <LinkText to="/app/pay/proposals" underlined>
            wait for a second person
          </LinkText>
          .
        </p>
        <Button variant="default" onClick={() => setAsking(true)}>
          Change the limits
        </Button>
      </div>
      {isAsking && <LimitsDialog limits={limits} onClosed={() => setAsking(false)} />}
    </section>
  )
}

/** The current settings, future ones, and what saving does. */
const State = ({ settings: { on, now, next, changesFrom } }: { settings: PaySettings }) => (
  <section className={classes.card} data-tone={on ? undefined : 'act'} aria-label="State">
    {on && now ? (
      <>
        <strong>Pay is on.</strong> Today: {settingsText(now)}
        {next && (
          <div>
            <WithDays>
              From {next.fromDay}: {settingsText(next)}
            </WithDays>
            {next.setBy !== null && <span className={classes.dim}> Saved by {next.setBy}.</span>}
          </div>
        )}
        {changesFrom !== null && (
          <div className={classes.dim}>
            Changes act from <WithDays>{changesFrom}</WithDays>, the first period that has not
            begun.
          </div>
        )}
      </>
    ) : (
      <>
        <strong>Pay is off.</strong> Until you switch it on, Payroll and Payroll AVP are for
        information only and nothing is booked. Earlier sales count as settled elsewhere.
      </>
    )}
  </section>
)

type SettingsBody = BodyOf<typeof paySettingsEndpoints.savePaySettings>

interface Values extends Record<string, unknown> {
  payees: SettingsBody['payees']
  periodLength: SettingsBody['periodLength']
  avp: AvpRule | ''
  minimumCentavos: string
  minimumCents: string
  holdingDays: string
  waitingDays: string
  bankTimeZone: string
  firstDay: string
}

function valuesOf(
  { now, next, firstDay, waitingDays, bankTimeZone }: PaySettings,
  today: string,
): Values {
  const saved = next ?? now
  const amount = (units: number | undefined) => fromMinorUnits(units ?? 0).toFixed(2)
  return {
    payees: saved?.payees ?? 'offices',
    periodLength: saved?.periodLength ?? 'beWeek',
    avp: saved?.avp ?? '',
    minimumCentavos: amount(saved?.minimumCentavos),
    minimumCents: amount(saved?.minimumCents),
    holdingDays: String(saved?.holdingDays ?? 0),
    waitingDays: String(waitingDays),
    bankTimeZone,
    firstDay: firstDay ?? payPeriodOf(today, 'beWeek').start,
  }
}

/** Missing values are left for the schema to reject. */
const bodyOf = (values: Values): SettingsBody => ({
  payees: values.payees,
  periodLength: values.periodLength,
  avp: values.avp as AvpRule,
  minimumCentavos: unitsOf(values.minimumCentavos),
  minimumCents: unitsOf(values.minimumCents),
  holdingDays: daysOf(values.holdingDays),
  waitingDays: daysOf(values.waitingDays),
  bankTimeZone: values.bankTimeZone,
  firstDay: values.firstDay,
})

/** What the browser knows, and what is saved: the server may know an older name of a zone. */
const zonesWith = (saved: string): string[] => [
  ...new Set([saved, ...Intl.supportedValuesOf('timeZone')]),
]

const daysOf = (typed: string): number => (typed.trim() === '' ? Number.NaN : Number(typed))

/** What the number means, by the period of a day. */
function holdingText(typed: string, day: string): string {
  const days = daysOf(typed)
  if (!Number.isInteger(days) || days < 0) return 'New York days'
  if (days === 0) return 'A period can be paid as soon as it is closed.'
  const { end } = payPeriodOf(day, 'month')
  const from = addDays(end, days)
  return `A period that ends on ${daysInWords({ start: end, end })} is paid from ${daysInWords({ start: from, end: from })}, New York.`
}

/** What the number means, by an example. */
function waitingText(typed: string, today: string): string {
  const days = daysOf(typed)
  if (!Number.isInteger(days) || days < 0) return 'New York days'
  if (days === 0) return 'An account is paid as soon as it is confirmed.'
  const day = addDays(today, days)
  const paid = daysInWords({ start: day, end: day })
  return `An account that is entered today is paid from ${paid}, New York. Applies to accounts entered from now on.`
}

const unitsOf = (typed: string): number => {
  const amount = amountOf(typed.trim() === '' ? '0' : typed)
  return Number.isNaN(amount) ? amount : (toMinorUnits(amount) ?? Number.NaN)
}
