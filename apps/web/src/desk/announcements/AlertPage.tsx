import { Checkbox } from '@mantine/core'
import { announcementsEndpoints, type Alert } from '@tallyroom/contract/desk/announcements'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { formQueryOf, refreshOf } from '../../lib/queries.ts'
import { RichTextField } from '../../shared/RichTextField.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useRecordForm } from '../../ui/form/use-record-form.ts'

const refresh = refreshOf(announcementsEndpoints.loginAlerts)

/** Edit Alert. */
export const AlertPage = () => (
  <FormLoader query={useQuery(formQueryOf(announcementsEndpoints.lastAlert, {}))} fields={2}>
    {(alert) => <AlertForm alert={alert} />}
  </FormLoader>
)

interface AlertValues extends Record<string, unknown> {
  enable: boolean
  html: string
}

function AlertForm({ alert }: { alert: Alert }) {
  const { onSaved } = useFormEnd('/app', refresh)
  const { form, frame } = useRecordForm({
    endpoint: announcementsEndpoints.publishAlert,
    opened: {
      record: alert,
      reload: () => call(announcementsEndpoints.lastAlert, {}),
      valuesOf,
      labels,
    },
    bodyOf: changeOf,
    onSaved,
  })
  return (
    <FormFrame {...frame} submitLabel="Update">
      <FormSection
        title="Banner"
        about="Shown above every page, to everybody, until they mark it as read."
      >
        <WholeRow>
          <Checkbox label={labels.enable} {...form.getInputProps('enable', { type: 'checkbox' })} />
        </WholeRow>
        {form.values.enable && (
          <WholeRow>
            <RichTextField
              label={labels.html}
              required
              value={form.values.html}
              onChange={(html) => form.setFieldValue('html', html)}
              error={form.errors['html']}
            />
          </WholeRow>
        )}
      </FormSection>
    </FormFrame>
  )
}

const labels = { enable: 'Enable alert', html: 'Alert' }

const valuesOf = ({ enable, html }: Alert): AlertValues => ({ enable, html })

const changeOf = (values: AlertValues, version?: number) => ({ ...values, version })
