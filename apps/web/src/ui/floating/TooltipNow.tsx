import { Tooltip } from '@mantine/core'
import type { BubbleProps } from './Tooltip.tsx'

export function TooltipNow({ id, label, ...rest }: BubbleProps) {
  return <Tooltip label={<span id={id}>{label}</span>} {...rest} />
}
