import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import './styles.ts'
import { logoUrl, useBrand } from '../lib/brand.ts'
import { DialogHost } from '../ui/dialogs/dialogs.tsx'
import { contrastVariables, productTheme } from '../ui/theme.ts'
import { ToastHost } from '../ui/toasts.tsx'
import { ProofHost } from './ProofHost.tsx'
import { queryClient } from './query-client.ts'
import { router } from './router.tsx'

/** Stores the chosen scheme. public/color-scheme.js reads the same key before the first paint. */
const colorSchemeManager = localStorageColorSchemeManager({ key: 'tallyroom.color-scheme' })

export function App() {
  const brand = useBrand()
  const theme = useMemo(() => productTheme(brand.palette), [brand])
  useEffect(() => {
    document.querySelector('link[rel="icon"]')?.setAttribute('href', logoUrl(brand, 'light'))
  }, [brand])

  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={contrastVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme={brand.colorScheme}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <DialogHost />
        <ProofHost />
        <ToastHost />
      </QueryClientProvider>
    </MantineProvider>
  )
}
