/** Pages, texts and drawings that deskhand writes, and how each is recognized. */
import type { OwnKind } from '../../base/own-file.ts';

/** The documents of `report/page`, `report/chart` and `--report`; one may replace another. */
export const documentFile: OwnKind = {
  name: 'a page, a note or a chart',
  isOurs: (text) => [page, report, note, picture].some((known) => known.test(text)),
};

/** The content security policy of every page. */
const page =
  /^<!doctype html>\s+<html lang="en">\s+<head>[^]{0,400}content="default-src (?:'|&#39;)none(?:'|&#39;); style-src (?:'|&#39;)unsafe-inline(?:'|&#39;); base-uri (?:'|&#39;)none(?:'|&#39;); form-action (?:'|&#39;)none(?:'|&#39;)"/;
const report = /^<!-- deskhand:[a-z]+:\S+ -->\n/;
const note =
  /^### [^\n]*\n\n\*\*(?:LIVE|DEMO|SANDBOX)\*\* [^\n]* \u00b7 (?:as of|started) [^\n]* UTC \u00b7 playbook [^\n]* \u00b7 run [^\n]*\n/;
const picture = /^<svg[^>]* role="img"><style>[^<]*<\/style><title>/;
