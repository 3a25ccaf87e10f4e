import { Button } from '@mantine/core'
import type { ListedPayFileTemplate } from '@tallyroom/contract/pay/files/files'
import { readyLayouts } from '@tallyroom/contract/pay/files/ready-layouts'
import { can } from '@tallyroom/domain/abilities'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../../lib/session.ts'
import { askToDelete } from '../../ui/dialogs/ask-to-delete.ts'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { LinkButton } from '../../ui/links.tsx'
import { Select } from '../../ui/Select.tsx'
import { PayFileEditor } from './PayFileEditor.tsx'
import { deleteTemplate, templatesQuery } from '../payment-runs.api.ts'
import classes from '../runs.module.css'

/** The templates of the files for banks: choose one, edit it, and preview its file. */
export const PayFilesPage = () => (
  <FormLoader query={useQuery(templatesQuery)} fields={5}>
    {(templates) => <Templates templates={templates} />}
  </FormLoader>
)

function Templates({ templates }: { templates: readonly ListedPayFileTemplate[] }) {
  const me = useMe()
  const [chosen, setChosen] = useState<number | 'new'>(templates[0]?.id ?? 'new')
  const template = templates.find(({ id }) => id === chosen)
  const [ready, setReady] = useState<string | null>(null)
  const begun = readyLayouts.find(({ name }) => name === ready)
  const start = template ?? begun ?? templates[0]
  return (
    <div className={classes.page}>
      <div className={classes.bar}>
        <Select
          label="Template"
          data={[
            ...templates.map(({ id, name }) => ({ value: String(id), label: name })),
            ...(chosen === 'new' ? [{ value: 'new', label: 'New template' }] : []),
          ]}
          value={String(chosen)}
          onChange={(value) => setChosen(value === 'new' ? 'new' : Number(value))}
        />
        {template && (
          <DeleteTemplate
            template={template}
            isOnly={templates.length === 1}
            onDeleted={() => setChosen(templates.find(({ id }) => id !== template.id)?.id ?? 'new')}
          />
        )}
        {template && can(me, 'logs.common') && (
          <LinkButton
            to="/app/settings/pay-files/$templateId/history"
            params={{ templateId: String(template.id) }}
            variant="subtle"
          >
            History
          </LinkButton>
        )}
        <Button
          className={classes.end}
          variant="default"
          disabled={chosen === 'new'}
          onClick={() => {
            setReady(null)
            setChosen('new')
          }}
        >
          + Add Template
        </Button>
      </div>
      {!template && (
        <Select
          label="Begin with"
          description="Compare it with what your bank says: it is a beginning."
          placeholder={`A copy of ${templates[0]?.name ?? 'the first one'}`}
          clearable
          data={readyLayouts.map(({ name }) => name)}
          value={ready}
          onChange={setReady}
        />
      )}
      {start && (
        <PayFileEditor
          key={`${chosen} ${template?.version ?? 0} ${ready ?? ''}`}
          template={template}
          start={start.layout}
          onSaved={setChosen}
        />
      )}
    </div>
  )
}

interface DeleteTemplateProps {
  template: ListedPayFileTemplate
  isOnly: boolean
  onDeleted: () => void
}

/** Deletes a template that no run has used, and explains why the others must stay. */
function DeleteTemplate({ template, isOnly, onDeleted }: DeleteTemplateProps) {
  const client = useQueryClient()
  const { id, name, usedBy } = template
  const why =
    usedBy !== null
      ? `Used by ${usedBy}, so it can’t be deleted.`
      : isOnly
        ? 'The only template can’t be deleted.'
        : undefined
  if (why) return <span className={classes.dim}>{why}</span>
  return (
    <Button
      variant="subtle"
      color="red"
      onClick={() =>
        void askToDelete({
          what: 'Template',
          name,
          question: 'No payment run has used this template.',
          action: () => deleteTemplate(id),
          onDeleted: () => {
            onDeleted()
            void client.invalidateQueries({ queryKey: templatesQuery.queryKey })
          },
        })
      }
    >
      Delete template
    </Button>
  )
}
