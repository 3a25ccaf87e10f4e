import { NumberInput, Stack } from '@mantine/core'
import { alarmsEndpoints } from '@tallyroom/contract/desk/alarms'
import { alarmLabels } from '@tallyroom/contract/desk/labels'
import type { AnswerOf } from '@tallyroom/contract/endpoint'
import { can } from '@tallyroom/domain/abilities'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { useMe } from '../../lib/session.ts'
import { LastChanges } from '../../shared/LastChanges.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { FormSection } from '../../ui/form/FormSection.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { toastSaved } from '../../ui/toasts.tsx'
import { alarmSettingsQuery, alarmsQuery } from './alarms.api.ts'
import { Alarms } from './Alarms.tsx'

const NETWORK = { watched: 'network', id: 0, name: 'The whole network' } as const

/** All alarms, and for superadmins when one is raised. */
export function AlarmSettingsPage() {
  const mayManage = can(useMe(), 'alarms.manage')
  // The list would push the form down when it comes.
  const { isPending } = useQuery(alarmsQuery({}))
  return (
    <Stack gap="xl">
      <Alarms within={{}} subject={NETWORK} />
      {mayManage && !isPending && <AlarmSettings />}
    </Stack>
  )
}

function AlarmSettings() {
  return (
    <>
      <FormLoader query={useQuery(alarmSettingsQuery)} fields={4}>
        {(settings) => <SettingsForm key={settings.version} settings={settings} />}
      </FormLoader>
      <LastChanges object="alarmSettings:0" />
    </>
  )
}

type Settings = AnswerOf<typeof alarmsEndpoints.alarmSettings>

function SettingsForm({ settings }: { settings: Settings }) {
  const client = useQueryClient()
  const { form, frame } = useRecordForm({
    endpoint: alarmsEndpoints.saveAlarmSettings,
    opened: {
      record: settings,
      reload: () => call(alarmsEndpoints.alarmSettings, {}),
      valuesOf: ({ version: _version, ...values }: Settings): Omit<Settings, 'version'> => values,
      labels: alarmLabels,
    },
    bodyOf: (values, version) => ({ ...values, version }),
    onSaved: () => {
      toastSaved()
      void client.invalidateQueries({ queryKey: alarmSettingsQuery.queryKey })
    },
  })
  const field = (name: keyof typeof alarmLabels, description: string) => (
    <NumberInput
      label={alarmLabels[name]}
      description={description}
      allowDecimal={false}
      allowNegative={false}
      hideControls
      {...form.getInputProps(name)}
    />
  )
  return (
    <FormFrame submitLabel="Save" {...frame}>
      <FormSection
        title="When an alarm is raised"
        about="What came is compared with the same hours of the eight weeks before, and with how much these differed."
      >
        {field('leastClicks', 'So few clicks say nothing about whether a site works.')}
        {field('leastSales', 'So few sales say nothing about whether a site works.')}
        {field('floodTimes', 'More clicks or sales than this are a flood.')}
        {field('oneInDays', 'For each site, link type and office. Higher: fewer and later alarms.')}
      </FormSection>
    </FormFrame>
  )
}
