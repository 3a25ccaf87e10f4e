import { announcementsEndpoints, type News } from '@tallyroom/contract/desk/announcements'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { formQueryOf, refreshOf } from '../../lib/queries.ts'
import { RichTextField } from '../../shared/RichTextField.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useRecordForm } from '../../ui/form/use-record-form.ts'

/** Refetches the news, both on its own and as part of the dashboard. */
const refresh = refreshOf(announcementsEndpoints.lastNews, { path: '/api/dashboard' })

/** Edit News. */
export const NewsPage = () => (
  <FormLoader query={useQuery(formQueryOf(announcementsEndpoints.lastNews, {}))} fields={1}>
    {(news) => <NewsForm news={news} />}
  </FormLoader>
)

interface NewsValues extends Record<string, unknown> {
  html: string
}

function NewsForm({ news }: { news: News }) {
  const { onSaved } = useFormEnd('/app', refresh)
  const { form, frame } = useRecordForm({
    endpoint: announcementsEndpoints.publishNews,
    opened: {
      record: news,
      reload: () => call(announcementsEndpoints.lastNews, {}),
      valuesOf,
      labels,
    },
    bodyOf: changeOf,
    onSaved,
  })
  return (
    <FormFrame {...frame} submitLabel="Update">
      <FormSection title="On Home" about="Shown on everybody’s Home until you publish the next.">
        <WholeRow>
          <RichTextField
            label={labels.html}
            value={form.values.html}
            onChange={(html) => form.setFieldValue('html', html)}
            error={form.errors['html']}
          />
        </WholeRow>
      </FormSection>
    </FormFrame>
  )
}

const labels = { html: 'News' }

const valuesOf = ({ html }: News): NewsValues => ({ html })

const changeOf = ({ html }: NewsValues, version?: number) => ({ html, version })
