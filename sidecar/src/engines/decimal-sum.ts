const ZERO = 48;
const NINE = 57;
const MINUS = 45;
const POINT = 46;

/** Whole numbers of so many digits are exact in a JavaScript number, and so is a sum of a few of them. */
const EXACT_DIGITS = 15;
const MOST_PENDING = 4e15;
const MOST_MANTISSA = 10 ** EXACT_DIGITS;
const POWERS = Array.from({ length: EXACT_DIGITS + 1 }, (_, exponent) => 10 ** exponent);
/** Longer numerals are not added up: the work would grow with each of them. A double has fewer decimals. */
const MOST_CHARACTERS = 1_200;
const NUMERAL = /^(-?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i;

/**
 * The exact sum of decimal numbers, as their digits are written: 0.1 and 0.2 make 0.3. Short numbers are added in a
 * JavaScript number, which is passed on before it could lose a digit; the others as big integers.
 */
export class DecimalSum {
  /** The total's decimals: as many as the number with the most of them has. */
  #decimals = 0;
  /** Both in units of the last decimal. */
  #pending = 0;
  #total = 0n;
  #isLost = false;

  /** A number or its text, which may also come as bytes. */
  add(value: number | bigint | string | Uint8Array): void {
    if (this.#isLost) return;
    switch (typeof value) {
      case 'number':
        this.#number(value);
        break;
      case 'bigint':
        if (value < MOST_MANTISSA && value > -MOST_MANTISSA) this.#short(Number(value), 0);
        else this.#long(value, 0);
        break;
      case 'string':
        this.#text(value);
        break;
      default:
        this.#bytes(value);
    }
  }

  /** A number where JSON has it exactly, else its digits; undefined when something could not be added up. */
  total(): number | string | undefined {
    if (this.#isLost) return undefined;
    this.#settle();
    const total = this.#total;
    if (this.#decimals === 0) {
      const number = Number(total);
      return Number.isSafeInteger(number) ? number : total.toString();
    }
    const digits = (total < 0n ? -total : total).toString().padStart(this.#decimals + 1, '0');
    const point = digits.length - this.#decimals;
    return `${total < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
  }

  #number(value: number): void {
    if (Math.abs(value) < MOST_MANTISSA && Number.isInteger(value)) {
      this.#short(value, 0);
      return;
    }
    // Two decimals are common, and no two numbers of so few digits have the same nearest double.
    const cents = Math.round(value * 100);
    if (Math.abs(cents) < MOST_MANTISSA && cents / 100 === value) {
      if (cents % 10 === 0) this.#short(cents / 10, 1);
      else this.#short(cents, 2);
    } else this.#numeral(String(value));
  }

  #text(text: string): void {
    const { length } = text;
    const start = text.charCodeAt(0) === MINUS ? 1 : 0;
    if (length === start || length > EXACT_DIGITS) {
      this.#numeral(text);
      return;
    }
    let mantissa = 0;
    let point = -1;
    for (let at = start; at < length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit === POINT && point < 0) point = at;
      else if (unit < ZERO || unit > NINE) {
        this.#numeral(text);
        return;
      } else mantissa = mantissa * 10 + unit - ZERO;
    }
    this.#short(start === 1 ? -mantissa : mantissa, point < 0 ? 0 : length - 1 - point);
  }

  #bytes(text: Uint8Array): void {
    const { length } = text;
    const start = text[0] === MINUS ? 1 : 0;
    if (length === start || length > EXACT_DIGITS) {
      this.#numeral(Buffer.from(text).toString('latin1'));
      return;
    }
    let mantissa = 0;
    let point = -1;
    for (let at = start; at < length; at += 1) {
      const byte = text[at] ?? 0;
      if (byte === POINT && point < 0) point = at;
      else if (byte < ZERO || byte > NINE) {
        this.#numeral(Buffer.from(text).toString('latin1'));
        return;
      } else mantissa = mantissa * 10 + byte - ZERO;
    }
    this.#short(start === 1 ? -mantissa : mantissa, point < 0 ? 0 : length - 1 - point);
  }

  #short(mantissa: number, decimals: number): void {
    let units = mantissa;
    if (decimals > this.#decimals) this.#widen(decimals);
    else if (decimals < this.#decimals) {
      units = mantissa * (POWERS[this.#decimals - decimals] ?? Number.POSITIVE_INFINITY);
      if (Math.abs(units) >= MOST_MANTISSA || Number.isNaN(units)) {
        this.#long(BigInt(mantissa), decimals);
        return;
      }
    }
    this.#pending += units;
    if (this.#pending > MOST_PENDING || this.#pending < -MOST_PENDING) this.#settle();
  }

  #long(mantissa: bigint, decimals: number): void {
    if (decimals > this.#decimals) this.#widen(decimals);
    this.#total += mantissa * 10n ** BigInt(this.#decimals - decimals);
  }

  /** Any other form of a number: many digits, or an exponent. NaN and infinity have no total. */
  #numeral(text: string): void {
    const found = text.length > MOST_CHARACTERS ? null : NUMERAL.exec(text);
    if (found === null) {
      this.#isLost = true;
      return;
    }
    const [, sign = '', whole = '', fraction = '', exponent = '0'] = found;
    const decimals = fraction.length - Number(exponent);
    if (whole + fraction === '' || Math.abs(decimals) > MOST_CHARACTERS) {
      this.#isLost = true;
      return;
    }
    const mantissa = BigInt(`${whole}${fraction}`) * (sign === '' ? 1n : -1n);
    if (decimals < 0) this.#long(mantissa * 10n ** BigInt(-decimals), 0);
    else this.#long(mantissa, decimals);
  }

  #widen(decimals: number): void {
    this.#settle();
    this.#total *= 10n ** BigInt(decimals - this.#decimals);
    this.#decimals = decimals;
  }

  #settle(): void {
    this.#total += BigInt(this.#pending);
    this.#pending = 0;
  }
}
