import { galleryNow } from './clock.ts'

// The demo world is seeded relative to today. With a clock that starts at the same instant every time, every
// run of the gallery shows the same figures.
const ahead = Date.parse(galleryNow) - Date.now()
const SystemDate = Date

globalThis.Date = new Proxy(SystemDate, {
  construct: (target, args: [], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now() + ahead] : args, newTarget),
  apply: (target) => new target(target.now() + ahead).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => target.now() + ahead : Reflect.get(target, name, receiver),
})

await import('../serve.ts')
