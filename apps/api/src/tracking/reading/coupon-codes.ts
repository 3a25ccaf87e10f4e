import { couponKey, isCouponCode } from '@tallyroom/domain/coupons'
import { allGiven, type FieldNames, type GivenFields } from './field-names.ts'

/** Where shops list the codes of an order: Shopify, and WooCommerce. */
const LISTED = /^(?:discountcodes|discountapplications|couponlines)\.\d{1,3}\.code$/

/** More are not looked at. */
const MOST_CODES = 10

const NONE: readonly string[] = []

/** The coupon codes of a postback, as codes are compared, in its order: those of its fields, then those that a shop lists. */
export function couponsIn(
  fields: GivenFields,
  names: Pick<FieldNames, 'coupon'>,
): readonly string[] {
  if (names.coupon.length === 0) return NONE
  const named = allGiven(fields, names.coupon).flatMap(({ values }) => values)
  const listed = [...fields].flatMap(([key, { values }]) => (LISTED.test(key) ? values : []))
  const codes = [...named, ...listed].flatMap((value) => value.split(/[,;|\s]+/, MOST_CODES))
  return [...new Set(codes.filter(isCouponCode).map(couponKey))].slice(0, MOST_CODES)
}
