import { Button } from '@mantine/core'
import type { PayFileTemplate } from '@tallyroom/contract/pay-files'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { Select } from '../../ui/Select.tsx'
import { PayFileEditor } from './PayFileEditor.tsx'
import { templatesQuery } from './payment-runs.api.ts'
import classes from './runs.module.css'

/** How the files for banks look: choose a template, change it, and see the file that it makes. */
export const PayFilesPage = () => (
  <FormLoader query={useQuery(templatesQuery)} fields={5}>
    {(templates) => <Templates templates={templates} />}
  </FormLoader>
)

function Templates({ templates }: { templates: readonly PayFileTemplate[] }) {
  const [chosen, setChosen] = useState<number | 'new'>(templates[0]?.id ?? 'new')
  const template = templates.find(({ id }) => id === chosen)
  const start = template ?? templates[0]
  return (
    <div className={classes.page}>
      <div className={classes.bar}>
        <Select
          label="Template"
          allowDeselect={false}
          data={[
            ...templates.map(({ id, name }) => ({ value: String(id), label: name })),
            ...(chosen === 'new' ? [{ value: 'new', label: 'New template' }] : []),
          ]}
          value={String(chosen)}
          onChange={(value) => setChosen(value === 'new' ? 'new' : Number(value))}
        />
        <Button
          className={classes.end}
          variant="default"
          disabled={chosen === 'new'}
          onClick={() => setChosen('new')}
        >
          + Add Template
        </Button>
      </div>
      {start && (
        <PayFileEditor
          key={`${chosen} ${template?.version ?? 0}`}
          template={template}
          start={start.layout}
          onSaved={setChosen}
        />
      )}
    </div>
  )
}
