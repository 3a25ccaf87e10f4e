import { type ComponentProps, lazy, Suspense } from 'react'

const Drawer = lazy(async () => ({ default: (await import('./RatesDrawer.tsx')).RatesDrawer }))

/** `RatesDrawer`, loaded when it opens: most who open a list of rates do not open one's dates. */
export const LazyRatesDrawer = (props: ComponentProps<typeof Drawer>) => (
  <Suspense fallback={null}>
    <Drawer {...props} />
  </Suspense>
)
