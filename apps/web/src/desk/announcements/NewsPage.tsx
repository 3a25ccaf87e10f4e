import { useForm } from '@mantine/form'
import { announcementsEndpoints, type News } from '@tallyroom/contract/desk/announcements'
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
  getNews,
  newsFormQuery,
  refreshNews,
  saveNews,
  type NewsChange,
} from './announcements.api.ts'

/** Edit News. */
export const NewsPage = () => (
  <FormLoader query={useQuery(newsFormQuery)} fields={1}>
    {(news) => <NewsForm news={news} />}
  </FormLoader>
)

interface NewsValues extends Record<string, unknown> {
  html: string
}

function NewsForm({ news }: { news: News }) {
  const { onSaved } = useFormEnd('/app', refreshNews)
  const form = useForm({
    initialValues: valuesOf(news),
    validate: validateBy(announcementsEndpoints.publishNews, changeOf),
  })
  const { saving, stale } = useVersionedSave(form, {
    opened: news,
    reload: getNews,
    valuesOf,
    save: (values, version) => saveNews(changeOf(values, version)),
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

const changeOf = ({ html }: NewsValues, version?: number): NewsChange => ({ html, version })
