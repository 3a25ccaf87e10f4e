import { SegmentedControl, Switch } from '@mantine/core'
import type { ChartPreset } from '@tallyroom/domain/periods'
import type { ComponentProps } from 'react'
import rowClasses from '../../ui/filters/CriteriaRow.module.css'
import { ExportMenu } from '../../ui/export/ExportMenu.tsx'
import { PageActions } from '../../ui/list/PageActions.tsx'
import { PrintButton } from '../../ui/export/PrintButtons.tsx'
import { Select } from '../../ui/Select.tsx'
import type { ChartsSearch } from './office-performance-search.ts'
import classes from './OfficeChartsPage.module.css'

interface ChartCriteriaProps {
  presets: readonly ChartPreset[]
  /** The one that is not in the URL. */
  standard: ChartPreset
  chosen: { preset: ChartPreset; view: 'charts' | 'tables'; common: boolean }
  onChoose: (search: Partial<ChartsSearch>, options?: { replace: boolean }) => void
  save: ComponentProps<typeof ExportMenu>['save']
  hasNothingToSave: boolean
}

/** Which period the charts show, and how; and what can be done with them. */
export const ChartCriteria = ({
  presets,
  standard,
  chosen: { preset, view, common },
  onChoose,
  save,
  hasNothingToSave,
}: ChartCriteriaProps) => (
  <div className={classes.criteria}>
    <div className={rowClasses.row}>
      <Select
        label="Period"
        data={presets.map(({ label }) => label)}
        value={preset.label}
        onChange={(label) =>
          onChoose({ period: label === null || label === standard.label ? undefined : label })
        }
      />
      <SegmentedControl
        size="xs"
        radius="xl"
        aria-label="View"
        data={[
          { value: 'charts', label: 'Charts' },
          { value: 'tables', label: 'Tables' },
        ]}
        value={view}
        onChange={(value) => onChoose({ view: value === 'tables' ? 'tables' : undefined })}
      />
    </div>
    {view === 'charts' && (
      <Switch
        label="Same scale"
        checked={common}
        onChange={(event) =>
          onChoose({ common: event.currentTarget.checked || undefined }, { replace: true })
        }
      />
    )}
    <div className={classes.actions}>
      <PageActions>
        <ExportMenu save={save} disabled={hasNothingToSave} />
        <PrintButton />
      </PageActions>
    </div>
  </div>
)
