import { Checkbox } from '@mantine/core'
import { useForm } from '@mantine/form'
import { announcementsEndpoints, type Alert } from '@tallyroom/contract/desk/announcements'
import { useQuery } from '@tanstack/react-query'
import { RichTextField } from '../../shared/RichTextField.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { StaleNotice } from '../../ui/form/StaleNotice.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useVersionedSave } from '../../ui/form/use-versioned-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import {
  alertFormQuery,
  getAlert,
  refreshAlerts,
  saveAlert,
  type AlertChange,
} from './announcements.api.ts'

/** Edit Alert. */
export const AlertPage = () => (
  <FormLoader query={useQuery(alertFormQuery)} fields={2}>
    {(alert) => <AlertForm alert={alert} />}
  </FormLoader>
)

interface AlertValues extends Record<string, unknown> {
  enable: boolean
  html: string
}

function AlertForm({ alert }: { alert: Alert }) {
  const { onSaved } = useFormEnd('/app', refreshAlerts)
  const form = useForm({
    initialValues: valuesOf(alert),
    validate: validateBy(announcementsEndpoints.publishAlert, changeOf),
  })
  const { saving, stale } = useVersionedSave(form, {
    opened: alert,
    reload: getAlert,
    valuesOf,
    save: (values, version) => saveAlert(changeOf(values, version)),
    onSaved,
  })
  return (
    <FormFrame
      form={form}
      wide="sections"
      submitLabel="Update"
      busy={saving.isPending}
      onSubmit={saving.mutate}
    >
      <StaleNotice stale={stale} labels={labels} />
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

const changeOf = ({ enable, html }: AlertValues, version?: number): AlertChange => ({
  enable,
  html,
  version,
})
