import { ActionIcon, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { Tooltip } from '../ui/Tooltip.tsx'

const schemes = {
  auto: { label: 'Colors follow the system', icon: IconDeviceDesktop, next: 'light' },
  light: { label: 'Light colors', icon: IconSun, next: 'dark' },
  dark: { label: 'Dark colors', icon: IconMoon, next: 'auto' },
} as const satisfies Record<MantineColorScheme, object>

/** Cycles through system, light and dark. */
export function ColorSchemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { label, icon: Icon, next } = schemes[colorScheme]
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`${label}. Switch`}
        onClick={() => setColorScheme(next)}
      >
        <Icon size={17} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  )
}
