import { Switch } from '@mantine/core'
import { optionsEndpoints } from '@tallyroom/contract/catalogue/options'
import { paySettingsLabels } from '@tallyroom/contract/pay/labels'
import { paySettingsEndpoints, type PaySettings } from '@tallyroom/contract/pay/terms/settings'
import { can } from '@tallyroom/domain/abilities'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { useDayIn, useToday } from '../../lib/clock.ts'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'
import { useMe } from '../../lib/session.ts'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormSection } from '../../ui/form/FormSection.tsx'
import { FormText } from '../../ui/form/FormText.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { Select } from '../../ui/Select.tsx'
import { toastSaved } from '../../ui/toasts.tsx'
import { settingsText } from '../pay-words.ts'
import { leftOutQuery } from '../pay.api.ts'
import { bodyOf, leftOutText, valuesOf } from './pay-settings-form.ts'
import { DueFields, TermsFields } from './PaySettingsFields.tsx'
import { WithDays } from '../../ui/text/WithDays.tsx'
import classes from '../pay.module.css'
import { refreshPay } from '../refresh-pay.ts'

/** Switches pay on, and changes its terms. */
export function PaySettingsForm({ settings }: { settings: PaySettings }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const today = useToday()
  const me = useMe()
  const [show, setShow] = useState(true)
  const asksToShow = !settings.on && !settings.payoutsShown && can(me, 'options.manage')
  const showing = useOneMutation({
    mutationFn: () =>
      call(optionsEndpoints.saveOptions, { body: [{ name: 'payout_visible', value: 1 }] }),
    onSuccess: () => client.invalidateQueries(),
  })
  const { form, frame } = useRecordForm({
    endpoint: paySettingsEndpoints.savePaySettings,
    values: valuesOf(settings, today),
    bodyOf: (values) => ({
      ...bodyOf(values),
      ...(settings.firstDayFixed && { firstDay: undefined }),
    }),
    onSaved: () => {
      if (asksToShow && show) showing.mutate()
      toastSaved({
        label: 'See the periods',
        open: () => void navigate({ to: '/app/pay/periods' }),
      })
      void refreshPay(client)
    },
  })
  const { firstDay } = form.values
  const leftOut = useQuery({ ...leftOutQuery(firstDay), enabled: !settings.firstDayFixed })
  const bankToday = useDayIn(form.values.bankTimeZone)
  return (
    <FormFrame
      {...frame}
      submitLabel={settings.on ? 'Save' : 'Switch pay on'}
      actions={!form.values.avp && <span className={classes.dim}>Choose what AVP pays first.</span>}
    >
      <State settings={settings} />
      <TermsFields
        form={form}
        fixedFirstDay={settings.firstDayFixed ? settings.firstDay : null}
        leftOut={leftOut.data && leftOutText(leftOut.data, { firstDay, isOn: settings.on })}
      />
      <DueFields form={form} changesFrom={settings.changesFrom ?? today} today={today} />
      {!settings.payoutsShown && (
        <FormSection
          title="What payees see"
          about="While payouts are hidden, offices and agents see neither their pay nor their statements."
        >
          {asksToShow ? (
            <Switch
              label="Show payouts to offices and agents"
              description="As “Payout Visible” in System Options"
              checked={show}
              onChange={(event) => setShow(event.currentTarget.checked)}
            />
          ) : (
            <FormText label="Payouts">
              Hidden. A superadmin shows them in System Options: “Payout Visible”.
            </FormText>
          )}
        </FormSection>
      )}
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
        information only and nothing is booked. Sales recorded before then are settled outside
        Tallyroom.
      </>
    )}
  </section>
)

/** What the browser knows, and what is saved: the server may know an older name of a zone. */
const zonesWith = (saved: string): string[] => [
  ...new Set([saved, ...Intl.supportedValuesOf('timeZone')]),
]
