import { Button, Menu } from '@mantine/core'
import { exportFormats, type ExportFormat } from '@tallyroom/contract/export-formats'
import { IconChevronDown, IconDownload, IconPlayerStop, IconRefresh } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isApiError } from '../../lib/api-error.ts'
import type { SaveOptions } from '../../lib/forms/save-answer.ts'
import { toast } from '../toasts.tsx'

interface ExportMenuProps {
  /** Downloads the report with the criteria on screen. */
  save: (format: ExportFormat, options: SaveOptions) => Promise<void>
  disabled: boolean
}

const LABELS: Record<ExportFormat, string> = { csv: 'CSV', xlsx: 'Excel (XLSX)' }

/** Downloads a report as a file that the server writes: the whole result, with its criteria and totals. */
export function ExportMenu({ save, disabled }: ExportMenuProps) {
  const [bytes, setBytes] = useState(0)
  const stop = useRef<AbortController>(undefined)
  const run = useMutation({
    mutationFn: async (format: ExportFormat) => {
      setBytes(0)
      stop.current = new AbortController()
      const { signal } = stop.current
      try {
        await save(format, { signal, onProgress: setBytes })
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
    // The error policy leaves validation errors to forms.
    onError: (error) => {
      if (!isApiError(error, 'VALIDATION_ERROR')) return
      const [message = error.message] = Object.values(error.data).flat()
      toast({ kind: 'error', heading: 'Not exported', body: message })
    },
  })

  if (run.isPending) {
    return (
      <Button
        variant="default"
        aria-busy
        leftSection={<IconPlayerStop size={14} />}
        onClick={() => stop.current?.abort()}
      >
        Stop exporting ({(bytes / 1_000_000).toFixed(1)} MB)
      </Button>
    )
  }
  const mayWorkAgain = run.isError && !isApiError(run.error, 'VALIDATION_ERROR')
  return (
    <>
      {mayWorkAgain && (
        <Button
          variant="light"
          color="red"
          leftSection={<IconRefresh size={14} />}
          disabled={disabled}
          onClick={() => run.mutate(run.variables)}
        >
          Retry export
        </Button>
      )}
      <Menu position="bottom-end" shadow="md" width={150} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconDownload size={14} />}
            rightSection={<IconChevronDown size={13} />}
            disabled={disabled}
          >
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {exportFormats.map((format) => (
            <Menu.Item key={format} onClick={() => run.mutate(format)}>
              {LABELS[format]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
