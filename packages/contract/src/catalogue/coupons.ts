import { isCouponCode, isCouponName } from '@tallyroom/domain/coupons'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { onOffSchema } from '../forms.ts'
import {
  doneSchema,
  filter,
  idSchema,
  idTextSchema,
  line,
  listRequest,
  pagedList,
} from '../list.ts'
import { couponStates, sortFields } from '../list-choices.ts'
import { missing } from '../missing.ts'
import { daySchema } from '../periods.ts'

const couponSchema = z.object({
  id: idSchema,
  code: z.string(),
  siteId: idSchema,
  sitename: z.string(),
  /** Null: all link types of the site. */
  typeId: idSchema.nullable(),
  typename: z.string().nullable(),
  agentId: idSchema,
  username: z.string(),
  /** The first New York day on which orders with it count. */
  fromDay: daySchema,
  /** The last one; null: until it is ended. */
  untilDay: daySchema.nullable(),
  /** When it was ended before its last day. */
  endedAt: z.iso.datetime().nullable(),
  state: z.enum(couponStates),
  /** Whether its agent made it, and not the network. */
  madeByAgent: z.boolean(),
  /** Orders that were reported with it, whatever became of them. */
  orders: z.int(),
})
export type Coupon = z.infer<typeof couponSchema>

const codeSchema = line(100)
  .trim()
  .min(1, missing)
  .refine(
    (code) => code === '' || isCouponCode(code),
    'must have 3 to 32 letters (A–Z), digits, dots, dashes or underscores, with a letter or digit at both ends',
  )

const nameSchema = line(100)
  .trim()
  .min(1, missing)
  .refine((name) => name === '' || isCouponName(name), 'must have 3 to 12 letters (A–Z) or digits')

const forSchema = {
  siteId: idSchema,
  /** Null: all link types of the site. */
  typeId: idSchema.nullable().default(null),
}

const newCouponFields = {
  code: codeSchema,
  ...forSchema,
  agentId: idSchema,
  /** Default: from now on. */
  fromDay: daySchema.nullable().default(null),
  /** Null: until it is ended. */
  untilDay: daySchema.nullable().default(null),
  /** Whether it is given although an agent had it who was deleted. */
  passOn: onOffSchema.default(false),
}

/** What the form of a new one has, besides how it is given. */
export type CouponField = Exclude<keyof typeof newCouponFields, 'passOn'>

const madeSchema = z.object({ id: idSchema })

export const couponsEndpoints = {
  coupons: endpoint({
    method: 'POST',
    path: '/api/coupons/search',
    summary: 'Search coupon codes by site, agent and state',
    ability: 'links.generate',
    byToken: 'any',
    action: 'SEARCH',
    body: listRequest(sortFields.coupons, { sortField: 'code', sortAsc: true })
      .extend({
        siteId: filter(idSchema),
        agentId: filter(idSchema),
        state: filter(z.enum(couponStates)),
      })
      .strict(),
    response: pagedList(couponSchema),
  }),
  couponPatterns: endpoint({
    method: 'GET',
    path: '/api/coupons/patterns',
    summary: 'List the sites for which the agent may make codes, with the pattern of each',
    ability: 'coupons.make',
    action: 'none',
    response: z.array(
      z.object({
        siteId: idSchema,
        sitename: z.string(),
        /** The star is what the agent chooses. */
        pattern: z.string(),
      }),
    ),
  }),
  createCoupon: endpoint({
    method: 'PUT',
    path: '/api/coupons',
    summary: 'Give a coupon code to an agent. Orders reported with it are sales of that agent.',
    ability: 'coupons.manage',
    action: 'CREATE',
    refuses: [404, 409],
    body: z.strictObject(newCouponFields),
    response: madeSchema,
  }),
  makeCoupon: endpoint({
    method: 'PUT',
    path: '/api/coupons/own',
    summary: 'Make a coupon code of one’s own, within the pattern of the site',
    ability: 'coupons.make',
    action: 'CREATE',
    refuses: [409, 429],
    body: z.strictObject({
      ...forSchema,
      /** What stands in the place of the pattern’s star. */
      name: nameSchema,
    }),
    response: madeSchema,
  }),
  endCoupon: endpoint({
    method: 'POST',
    path: '/api/coupons/:id/end',
    summary: 'End a coupon code at once. Orders from before still count.',
    ability: 'coupons.manage',
    action: 'STATUS',
    refuses: [409],
    params: z.object({ id: idTextSchema }),
    response: doneSchema,
  }),
  endOwnCoupon: endpoint({
    method: 'POST',
    path: '/api/coupons/own/:id/end',
    summary: 'End a coupon code that the agent made. Orders from before still count.',
    ability: 'coupons.make',
    action: 'STATUS',
    refuses: [409],
    params: z.object({ id: idTextSchema }),
    response: doneSchema,
  }),
}
