// The status bar item: what the server does, and a way to its log.

import * as vscode from "vscode";

export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    "drano.status",
    vscode.StatusBarAlignment.Left,
  );
  private version = "";

  constructor() {
    this.item.name = "drano";
    this.item.command = "drano.showOutput";
    this.starting();
    this.item.show();
  }

  starting(): void {
    this.set("$(loading~spin) drano", "drano: starting its server");
  }

  ready(version: string): void {
    this.version = version;
    this.busy(false);
  }

  busy(busy: boolean): void {
    if (busy) {
      this.set("$(loading~spin) drano", "drano: analysing");
    } else {
      this.set("$(check) drano", `drano ${this.version}: up to date`);
    }
  }

  failed(): void {
    this.set("$(warning) drano", "drano: its server is not running; click for the log");
    this.item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
  }

  private set(text: string, tooltip: string): void {
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.backgroundColor = undefined;
  }

  dispose(): void {
    this.item.dispose();
  }
}
