import { type ComponentProps, lazy, Suspense } from 'react'

const Drawer = lazy(async () => ({ default: (await import('./RatesDrawer.tsx')).RatesDrawer }))

/** `RatesDrawer`, loaded on opening, because most visits to a list of rates never open it. */
export const LazyRatesDrawer = (props: ComponentProps<typeof Drawer>) => (
  <Suspense fallback={null}>
    <Drawer {...props} />
  </Suspense>
)
