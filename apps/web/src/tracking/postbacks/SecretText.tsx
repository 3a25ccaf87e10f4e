import { ActionIcon } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'

interface SecretTextProps {
  /** Undefined until the viewer has entered their password again. */
  value: string | undefined
  /** Its name for tooltips and screen readers, such as 'key'. */
  what: string
  shown: boolean
  onShow: (shown: boolean) => void
}

/** A secret that is shown on request, and can be copied without showing it. */
export function SecretText({ value, what, shown: wanted, onShow }: SecretTextProps) {
  const shown = wanted && value !== undefined
  const label = shown ? `Hide ${what}` : `Show ${what}`
  return (
    <>
      <code>{shown ? value : HIDDEN}</code>
      <Tooltip label={label} withArrow>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={label}
          onClick={() => onShow(!shown)}
        >
          {shown ? <IconEyeOff size={14} /> : <IconEye size={14} />}
        </ActionIcon>
      </Tooltip>
      {value !== undefined && <CopyButton value={value} what={what} />}
    </>
  )
}

/** Replaces a secret without giving away its length. */
export const HIDDEN = '•'.repeat(16)
